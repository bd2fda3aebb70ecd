//! Fills a database for measurements: `fill-operations FILE MERCHANT_CODE COUNT`.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let filled = match arguments.as_slice() {
        [file, code, count] => match count.parse() {
            Ok(count) => merchant_backend::bench::fill(file, code, count).await,
            Err(_) => Err(format!("COUNT is `{count}`: give a whole number")),
        },
        _ => Err("fill-operations FILE MERCHANT_CODE COUNT".to_owned()),
    };
    match filled {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Standard error may be closed.
            let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{message}\n"));
            ExitCode::from(2)
        }
    }
}
