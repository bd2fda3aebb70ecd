use payment_model::{DateObject, PaymentMethodName, Timestamp, UnixTime};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error;

/// The date object in the form of a method's processor. The specification shows several forms, and a
/// client must parse all of them.
pub(super) fn date(method: &PaymentMethodName, instant: Timestamp) -> DateObject {
    let mut date = DateObject::from_timestamp(instant);
    let bare = date.utc_time.take().map(|text| text.replace('Z', ""));
    date.utc_time = match method {
        PaymentMethodName::CashCode => {
            date.unix_time = decimal(instant);
            bare
        }
        PaymentMethodName::Installment => bare.map(|text| text + "+00:00"),
        _ => bare.map(|text| text + "Z"),
    };
    date
}

/// Unix time with a fraction, which only cash-code answers have.
#[expect(
    clippy::cast_precision_loss,
    reason = "exact below 2^53 milliseconds, which is 285,000 years"
)]
fn decimal(instant: Timestamp) -> Option<UnixTime> {
    let seconds = instant.as_millis() as f64 / 1000.0;
    UnixTime::deserialize(IntoDeserializer::<Error>::into_deserializer(seconds)).ok()
}

#[cfg(test)]
mod tests {
    use super::date;
    use payment_model::{PaymentMethodName, Timestamp};

    #[test]
    fn every_form_is_the_same_instant() {
        let check = |method: &str, utc: &str, unix: &str| {
            let instant = Timestamp::from_millis(1_707_326_367_250);
            let date = date(&PaymentMethodName::from(method), instant);
            let json = serde_json::to_value(&date).unwrap();
            assert_eq!(json["utc_time"], utc);
            assert_eq!(json["unix_time"].to_string(), unix);
        };
        check("QR", "2024-02-07T17:19:27.250Z", "1707326367");
        check("INSTALLMENT", "2024-02-07T17:19:27.250+00:00", "1707326367");
        check("CASHCODE", "2024-02-07T17:19:27.250", "1707326367.25");
    }
}
