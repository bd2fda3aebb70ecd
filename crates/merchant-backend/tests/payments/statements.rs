//! `merchant-backend compare`, beside the running server.

use crate::support::program::merchant_backend;
use crate::support::roles::refunder;
use crate::support::sales::paid_by_qr;
use crate::support::stack::{MERCHANT, Stack};
use staff_model::ExceptionKind;

const HEADINGS: &str = "\u{feff}merchant_operation_number, state,merchant_code,amount,more\n";

/// Compares a file with these lines; returns what is printed, and whether all is the same.
async fn compare(stack: &Stack, lines: &[String]) -> (String, bool) {
    let file = stack.directory.path().join("statement.csv");
    std::fs::write(&file, HEADINGS.to_owned() + &lines.concat()).unwrap();
    let mut command = merchant_backend();
    command
        .args(["compare", "--statement"])
        .arg(file)
        .env("DATABASE", &stack.database);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap());
    let output = output.await.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with('\n'), "{:?}", output.stderr);
    (text, output.status.success())
}

fn line(number: &str, state: &str, cents: u64) -> String {
    let (whole, part) = (cents / 100, cents % 100);
    format!("{number},{state},{MERCHANT},{whole}.{part:02},x\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_difference_from_a_statement_is_printed_and_an_exception() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let (one, two) = (paid_by_qr(&stack).await, paid_by_qr(&stack).await);
    let right = line(&one.number, "AUTORIZADO", one.amount);
    let wrong = line(&two.number, "EXTORNADO", two.amount + 1);
    let unknown = line("0", "LIQUIDADO", 100);
    let (text, same) = compare(&stack, &[right.clone(), wrong, unknown]).await;
    let (amount, number) = (two.amount, &two.number);
    let told = format!(
        "the statement says EXTORNADO and {} cents, the server AUTORIZADO and {amount} cents",
        amount + 1
    );
    assert_eq!(
        text,
        format!(
            "{MERCHANT} {number}: {told}\n\
             {MERCHANT} 0: the statement says LIQUIDADO and 1.00, the server has no such operation\n\
             lines: 3; not as the server knows it: 2\n"
        )
    );
    assert!(!same);
    let listed = [("statement_differs".to_owned(), number.clone())];
    assert_eq!(refunder.exceptions().await, listed);
    let detail = refunder
        .detail_of(ExceptionKind::StatementDiffers, number)
        .await;
    assert_eq!(detail, Some(told));
    assert_eq!(
        refunder.resolve("statement_differs", number).await.status,
        204
    );
    assert!(refunder.exceptions().await.is_empty());

    // Another difference is another exception, and it ends with a statement that is right.
    let other = line(number, "LIQUIDADO", amount);
    compare(&stack, std::slice::from_ref(&other)).await;
    assert_eq!(refunder.exceptions().await, listed);
    let now_right = line(number, "AUTORIZADO", amount);
    let (text, same) = compare(&stack, &[right, now_right]).await;
    assert_eq!(text, "lines: 2; not as the server knows it: 0\n");
    assert!(same && refunder.exceptions().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_cannot_be_read_is_said() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("statement.csv");
    for (text, wanted) in [
        (None, "--statement: "),
        (
            Some("merchant_code,state,amount\n"),
            "--statement: the first line has no column merchant_operation_number;",
        ),
        (
            Some("merchant_code,merchant_operation_number,state,amount\na,b\n"),
            "--statement: ",
        ),
        (
            Some("merchant_code,merchant_operation_number,state,amount\n"),
            "DATABASE: /nowhere/merchant.db cannot be opened",
        ),
    ] {
        if let Some(text) = text {
            std::fs::write(&file, text).unwrap();
        }
        let mut command = merchant_backend();
        command.args(["compare", "--statement"]).arg(&file);
        let output = command.env("DATABASE", "/nowhere/merchant.db").output();
        let output = output.unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.starts_with(wanted), "{text}");
    }
}
