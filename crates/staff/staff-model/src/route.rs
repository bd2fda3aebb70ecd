use payment_model::{filled_url, percent_encoded};

/// The HTTP methods of the staff's addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Reads data.
    Get,
    /// Requests an act.
    Post,
    /// Ends a session or an operation.
    Delete,
}

impl Method {
    /// The name of the method in HTTP.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Delete => "DELETE",
        }
    }
}

/// The method and the path of a request, with the values of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    method: Method,
    path: String,
}

/// Declares the table of addresses. A line has the doc comment, variant, function, parameters, method and
/// template of an address.
macro_rules! routes {
    ($($(#[$doc:meta])* $route:ident = $fill:ident($($value:ident),*) $method:ident $template:literal,)+) => {
        /// An address of the staff interface under the server's `/api/staff`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Route {
            $($(#[$doc])* $route,)+
        }

        impl Route {
            /// All addresses.
            pub const ALL: &'static [Self] = &[$(Self::$route),+];

            /// The method of the address.
            #[must_use]
            pub fn method(self) -> Method {
                match self {
                    $(Self::$route => Method::$method,)+
                }
            }

            /// The path of the address, with the names of parameters in braces.
            #[must_use]
            pub fn template(self) -> &'static str {
                match self {
                    $(Self::$route => $template,)+
                }
            }
        }

        impl Address {
            $($(#[$doc])*
            #[must_use]
            pub fn $fill($($value: &str),*) -> Self {
                Self::filled(Route::$route, &[$((stringify!($value), $value)),*])
            })+
        }

        /// The values that each takes.
        #[cfg(test)]
        const VALUES: &[(Route, &[&str])] = &[$((Route::$route, &[$(stringify!($value)),*])),+];
    };
}

routes! {
    /// Signs in.
    SignIn = sign_in() Post "/session",
    /// Shows the account that is signed in.
    Session = session() Get "/session",
    /// Signs out.
    SignOut = sign_out() Delete "/session",
    /// Confirms the session by a code.
    StepUp = step_up() Post "/session/code",
    /// Begins the enrolment of a second factor.
    BeginEnrolment = begin_enrolment() Post "/second-factor",
    /// Confirms the enrolment.
    ConfirmEnrolment = confirm_enrolment() Post "/second-factor/confirm",
    /// Searches; takes a [`SearchQuery`](crate::SearchQuery).
    Search = search() Get "/operations",
    /// Downloads the CSV file of a search; takes a [`SearchQuery`](crate::SearchQuery).
    SearchFile = search_file() Get "/operations.csv",
    /// Shows everything that is stored about an operation.
    Details = details(merchant_code, merchant_operation_number)
        Get "/operations/{merchant_code}/{merchant_operation_number}",
    /// Releases the order that an operation blocks.
    ReleaseOrder = release_order(merchant_code, merchant_operation_number)
        Post "/operations/{merchant_code}/{merchant_operation_number}/release",
    /// Lists the unresolved exceptions.
    Exceptions = exceptions() Get "/exceptions",
    /// Resolves an exception.
    ResolveException = resolve_exception() Post "/exceptions/resolve",
    /// Queries an operation at the service. [`WHICHEVER`] in place of the transaction id means the stored
    /// transaction.
    Query = query(merchant_code, merchant_operation_number, transaction_id)
        Get "/charges/{merchant_code}/{merchant_operation_number}/{transaction_id}",
    /// Cancels or reverses an operation; takes a [`CancelQuery`](crate::CancelQuery).
    Cancel = cancel(merchant_code, merchant_operation_number)
        Delete "/charges/{merchant_code}/{merchant_operation_number}",
    /// Requests refunds.
    Refund = refund() Post "/refund",
    /// Looks up the refunds of an operation at the service.
    Refunds = refunds(merchant_code, merchant_operation_number)
        Get "/refund/{merchant_code}/{merchant_operation_number}",
    /// Releases the reserved amount of a refund in doubt.
    ReleaseAttempt = release_attempt(attempt_id) Post "/refund-attempts/{attempt_id}/release",
    /// Reserves or records a manual return.
    RecordReturn = record_return() Post "/returns",
    /// Confirms that a manual return was made.
    ReturnDone = return_done(return_id) Post "/returns/{return_id}/done",
    /// Gives a manual return up.
    ReturnGivenUp = return_given_up(return_id) Post "/returns/{return_id}/given-up",
    /// Makes a payment link; takes a [`MakeLink`](crate::MakeLink).
    MakeLink = make_link() Post "/links",
    /// Lists payment links; takes a [`LinksQuery`](crate::LinksQuery).
    Links = links() Get "/links",
    /// Shows one payment link with the QR of its address.
    Link = link(merchant_code, order_id) Get "/links/{merchant_code}/{order_id}",
    /// Ends a payment link.
    EndLink = end_link(merchant_code, order_id) Post "/links/{merchant_code}/{order_id}/end",
    /// Waits for changes; takes a [`NewsQuery`](crate::NewsQuery).
    News = news() Get "/news",
    /// Releases the reserved amount of a reversal in doubt.
    ReleaseReversal = release_reversal(reversal_id) Post "/reversals/{reversal_id}/release",
}

/// The placeholder in an address for the stored transaction of an operation.
pub const WHICHEVER: &str = "-";

impl Address {
    fn filled(route: Route, values: &[(&str, &str)]) -> Self {
        Self {
            method: route.method(),
            path: filled_url(route.template(), values),
        }
    }

    /// Appends the query fields that are not empty.
    #[must_use]
    pub fn with_query(mut self, fields: &[(&str, &str)]) -> Self {
        let mut mark = '?';
        for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
            self.path.push(mark);
            self.path.push_str(name);
            self.path.push('=');
            self.path.push_str(&percent_encoded(value));
            mark = '&';
        }
        self
    }

    /// The method.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// The path under the server's `/api/staff`, with the query.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, Route, VALUES};
    use std::collections::HashSet;

    #[test]
    fn every_address_takes_the_values_that_its_template_names() {
        let mut known = HashSet::new();
        for (route, values) in VALUES {
            let parts = route.template().split('/').skip(1);
            let named: Vec<_> = parts
                .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
                .collect();
            assert_eq!(&named, values, "{route:?}");
            assert!(known.insert((route.method(), route.template())));
            let values: Vec<_> = values.iter().map(|name| (*name, *name)).collect();
            let address = Address::filled(*route, &values);
            let plain = route.template().replace(['{', '}'], "");
            assert_eq!(address.path(), plain);
            assert_eq!(address.method(), route.method());
        }
        assert_eq!(known.len(), Route::ALL.len());
    }

    #[test]
    fn no_value_leaves_its_place_in_the_address() {
        let check = |code: &str, number: &str, path: &str| {
            let address = Address::cancel(code, number).with_query(&[("intent", "reverse")]);
            assert_eq!(address.path(), format!("/charges/{path}?intent=reverse"));
        };
        check("100000001", "4821", "100000001/4821");
        check("a/b", "..", "a%2Fb/%20");
        check("", "ñ?x=1&y#z", "%20/%C3%B1%3Fx%3D1%26y%23z");
        check("{merchant_code}", "%", "%7Bmerchant_code%7D/%25");
    }
}
