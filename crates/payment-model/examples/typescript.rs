//! Prints the TypeScript declarations of every type that goes over the wire.
//!
//! `cargo run -p payment-model --features typescript --example typescript > npm/types/payment-model.d.ts`

use std::io::{self, Write};
use tsify::Tsify;

const HEADER: &str = "\
// Generated from payment-model; do not edit.
//
// The bodies as they are written. A field that may be absent or null is marked so; fields and
// words that the payment service adds later are to be expected everywhere.
";

fn main() -> io::Result<()> {
    io::stdout().write_all(declarations().as_bytes())
}

macro_rules! declarations_of {
    ($($name:ident)+) => {
        [$(payment_model::$name::DECL),+]
    };
}

/// Every wire type: words, shared objects, resources, then each request with its response.
fn declarations() -> String {
    let declarations = declarations_of! {
        Amount Currency MerchantCode MerchantOperationNumber RefundId TransactionId
        UnixTime TransactionState RefundState RefundType PaymentMethodName Outcome
        AuthorizeAction RefundAction Channel
        DateObject Meta Status LocalizedMessage Person Phone Location
        Operation Transaction LifecycleEntry PaymentMethod MethodDetails
        ProcessorResponse QrResponse InstallmentResponse CashCodeResponse BankTransferResponse
        ResultMessage
        Refund RefundMethod RefundLifecycleEntry
        AuthorizeRequest AuthorizeMethod PaymentDetails AuthorizeResponse
        QueryResponse CancelResponse
        RefundRequest RefundItem RefundResponse RefundQueryResponse
    };
    let mut text = HEADER.to_owned();
    for declaration in declarations {
        text.push('\n');
        let mut of_rust = false;
        for line in declaration.lines() {
            // The first paragraph of a comment says what is on the wire, the others speak of
            // Rust.
            of_rust = (of_rust || line.trim() == "*") && line.trim() != "*/";
            if !of_rust {
                text.push_str(&as_written(line));
                text.push('\n');
            }
        }
    }
    text
}

/// The generator marks every field with a default as optional. Those defaults are for reading only:
/// the service requires these fields and they are always written. A field that may really be absent
/// may also be null here, which tells the two apart.
fn as_written(line: &str) -> String {
    let required = line.starts_with(' ') && !line.ends_with(" | null;");
    match line.split_once("?: ") {
        Some((name, kind)) if required => format!("{name}: {kind}"),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::declarations;
    use std::collections::BTreeSet;

    #[test]
    fn the_checked_in_declarations_are_these() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../npm/types/payment-model.d.ts"
        );
        let checked_in = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            checked_in.replace("\r\n", "\n") == declarations(),
            "npm/types/payment-model.d.ts is out of date; renew it with\n\
             cargo run -p payment-model --features typescript --example typescript > npm/types/payment-model.d.ts"
        );
    }

    #[test]
    fn every_name_in_use_is_declared_and_exported() {
        let text = declarations();
        let code = text.lines().filter(|line| {
            let line = line.trim_start();
            !(line.starts_with('*') || line.starts_with("/*") || line.starts_with("//"))
        });
        let (mut used, mut exported) = (BTreeSet::from(["Record"]), BTreeSet::from(["Record"]));
        for line in code {
            let words = line
                .split(|c: char| !(c.is_alphanumeric() || "_'\"".contains(c)))
                .filter(|word| word.starts_with(char::is_uppercase));
            used.extend(words.clone());
            if line.starts_with("export ") {
                exported.extend(words.take(1));
            }
        }
        assert_eq!(used, exported);
        let starts = text
            .lines()
            .filter(|line| line.starts_with("type ") || line.starts_with("interface "));
        assert_eq!(starts.count(), 0, "a declaration is not exported");
    }
}
