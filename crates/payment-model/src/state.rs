use crate::wire_enum::wire_enum;

wire_enum! {
    /// The state of a transaction, and of the operation around it (States and transitions).
    pub enum TransactionState as "'REGISTRADO' | 'PENDIENTE' | 'INVALIDO' | 'AUTORIZADO' | 'DENEGADO' | 'CANCELADO' | 'EXPIRADO' | 'LIQUIDADO' | 'EXTORNADO' | (string & {})" {
        /// The service has taken the request and not started on it.
        Registered = "REGISTRADO",
        /// Waiting for the payer; never a payment, whatever else the answer says.
        Pending = "PENDIENTE",
        /// Rejected at creation.
        Invalid = "INVALIDO",
        /// Paid.
        Authorized = "AUTORIZADO",
        /// The processor said no.
        Declined = "DENEGADO",
        /// Cancelled; with a paid state in its lifecycle it was reversed.
        Cancelled = "CANCELADO",
        /// The time to pay has passed.
        Expired = "EXPIRADO",
        /// Paid, and the money is on its way to the merchant.
        Settled = "LIQUIDADO",
        /// Paid, and given back.
        Reversed = "EXTORNADO",
    }
}

impl TransactionState {
    /// True when the payer's money arrived: authorized or settled.
    #[must_use]
    pub fn is_paid(&self) -> bool {
        matches!(self, Self::Authorized | Self::Settled)
    }

    /// True while the service still waits for the payer.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        matches!(self, Self::Registered | Self::Pending)
    }

    /// True when the payment has ended. A final state can still be corrected (settled, reversed,
    /// paid late), but never goes back to waiting. An unknown state is not final.
    #[must_use]
    pub fn is_final(&self) -> bool {
        !self.is_waiting() && !matches!(self, Self::Unknown(_))
    }
}

#[cfg(test)]
mod tests {
    use super::TransactionState;

    #[test]
    fn each_state_is_waiting_or_final_and_two_are_paid() {
        let list = |test: fn(&TransactionState) -> bool| {
            TransactionState::KNOWN
                .iter()
                .filter(|s| test(s))
                .map(TransactionState::as_str)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            list(TransactionState::is_waiting),
            ["REGISTRADO", "PENDIENTE"]
        );
        assert_eq!(list(TransactionState::is_paid), ["AUTORIZADO", "LIQUIDADO"]);
        assert_eq!(list(TransactionState::is_final).len(), 7);
        let unknown = TransactionState::from("NUEVO");
        assert!(!unknown.is_final() && !unknown.is_paid() && !unknown.is_waiting());
    }
}
