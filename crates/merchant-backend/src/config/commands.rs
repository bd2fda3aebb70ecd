use clap::Subcommand;

/// The commands of the program besides serving.
#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// Read a password from the standard input and print the line for the staff file
    HashPassword,
    /// Look at the settings, the database, the payment service and everything else that the server
    /// talks to, and say what is wrong. Changes nothing; may run beside the server
    #[command(verbatim_doc_comment)]
    Check,
    /// Move everything from a file of SQLite to an empty database of PostgreSQL, which takes its place.
    /// Stop the server before, name the new one in DATABASE afterwards, and run the command again
    /// after an interruption: the file may be marked as moved, so that no server starts on it
    #[command(verbatim_doc_comment)]
    Copy {
        /// The file
        #[arg(long, value_name = "FILE")]
        from: String,
        /// The address of the database, without a password, which PGPASSFILE holds: other programs can
        /// read a command line
        #[arg(long, value_name = "postgres://…", verbatim_doc_comment)]
        to: String,
        /// Copy nothing, and take the mark of an interrupted copy away: servers start on the file again.
        /// Only while the new database is empty
        #[arg(long, verbatim_doc_comment)]
        abandon: bool,
    },
    /// Tell the server that the DATABASE was restored from a backup, or that a standby took over which
    /// lacked commits: nothing older is removed, reversed or refunded, and no older order takes a new
    /// payment, before staff confirm. Stop every server before
    #[command(verbatim_doc_comment)]
    Restored {
        /// Everything older was compared with the payment service: treat it like the rest again
        #[arg(long)]
        compared: bool,
    },
    /// Hold a statement of the payment service against the DATABASE, beside the running server. Prints
    /// what differs, and makes each difference an exception for staff
    #[command(verbatim_doc_comment)]
    Compare {
        /// A file in CSV with the columns merchant_code, merchant_operation_number, state and amount
        /// (129.90)
        #[arg(long, value_name = "FILE", verbatim_doc_comment)]
        statement: String,
    },
    /// Remove the data of the payers of old orders from the DATABASE, beside the running server:
    /// persons, accounts, masked numbers, details of methods and everything that the specification
    /// does not document. Unfinished orders are left
    #[command(verbatim_doc_comment)]
    Purge {
        /// The least age of the orders
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        older_than: u32,
    },
}
