//! Measures many waiting payers: `payers PROGRAMS COUNT [POSTGRES]`, where PROGRAMS is the folder of
//! the optimized programs, and POSTGRES the address of a server for new databases. It starts the
//! payment service's sandbox and the server itself, on a file, on PostgreSQL, and three of them
//! there, and beside them a bare route of the same framework that holds requests.

mod bare;
mod crowd;
mod figures;
mod programs;
mod table;

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [word, port] if word == "bare" => bare::serve(port).await,
        [programs, count, postgres @ ..] if postgres.len() < 2 => match count.parse() {
            Ok(count) => {
                let postgres = postgres.first().map(String::as_str);
                let measured = figures::measure(programs.as_ref(), count, postgres).await;
                measured.map(|columns| table::table(count, &columns))
            }
            Err(_) => Err(format!("COUNT is `{count}`: give a whole number")),
        },
        _ => Err("payers PROGRAMS COUNT [POSTGRES]".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Standard error may be closed.
            let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{message}\n"));
            ExitCode::from(2)
        }
    }
}
