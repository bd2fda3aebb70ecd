//! TypeScript of every type that goes over the wire.

use tsify::Tsify;

const HEADER: &str = "
// The bodies as they are written. A field that may be absent or null is marked so; fields and
// words that the payment service adds later are to be expected everywhere.
";

macro_rules! declarations_of {
    ($($name:ident)+) => {
        [$(payment_model::$name::DECL),+]
    };
}

/// Words, shared objects, resources, then each request with its response.
pub(super) fn print() -> String {
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
    let declarations = declarations.map(|declaration| format!("\n{}", tidy(declaration)));
    [crate::HEADER, HEADER, &declarations.concat()].concat()
}

/// A declaration as the generator makes it, without what concerns only Rust.
pub(super) fn tidy(declaration: &str) -> String {
    let mut text = String::new();
    let mut of_rust = false;
    for line in declaration.lines() {
        // The first paragraph of a comment says what is on the wire, the others speak of Rust.
        of_rust = (of_rust || line.trim() == "*") && line.trim() != "*/";
        if !of_rust {
            text.push_str(&as_written(line));
            text.push('\n');
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
    use super::print;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_in_use_is_declared_and_exported() {
        let text = print();
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
