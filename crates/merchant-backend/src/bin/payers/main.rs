//! Measures many waiting payers: `payers PROGRAMS COUNT`, where PROGRAMS is the folder of the
//! optimized programs. It starts the payment service's sandbox and the server itself, and beside
//! them a bare route of the same framework that holds requests, for the comparison.

mod bare;
mod crowd;
mod figures;
mod programs;

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [word, port] if word == "bare" => bare::serve(port).await,
        [programs, count] => match count.parse() {
            Ok(count) => figures::measure(programs.as_ref(), count).await,
            Err(_) => Err(format!("COUNT is `{count}`: give a whole number")),
        },
        _ => Err("payers PROGRAMS COUNT".to_owned()),
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
