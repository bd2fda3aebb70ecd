use wildmatch::WildMatchPattern;

/// The requests that a fault matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    method: Option<String>,
    path: Option<String>,
}

impl Pattern {
    /// Creates a pattern. An absent part or `*` matches everything.
    pub(super) fn new(method: Option<String>, path: Option<String>) -> Self {
        Self { method, path }
    }

    pub(super) fn has_path(&self) -> bool {
        self.path.is_some()
    }

    pub(super) fn meets(&self, method: &str, path: &str) -> bool {
        let same_method = self
            .method
            .as_deref()
            .is_none_or(|wanted| wanted == "*" || wanted.eq_ignore_ascii_case(method));
        same_method
            && self
                .path
                .as_deref()
                .is_none_or(|pattern| path_meets(pattern, path))
    }
}

/// Matches a path. A pattern without a star is a prefix. In a pattern with stars, each star matches any text
/// including slashes, and the pattern must match the whole path.
fn path_meets(pattern: &str, path: &str) -> bool {
    if !pattern.contains('*') {
        return path.starts_with(pattern);
    }
    // The second parameter is the wildcard for one character. A path never contains NUL, so this disables it.
    WildMatchPattern::<'*', '\0'>::new(pattern).matches(path)
}

#[cfg(test)]
mod tests {
    use super::{Pattern, path_meets};

    #[test]
    fn a_path_is_a_prefix_or_a_glob() {
        let check = |pattern, path, expected| {
            assert_eq!(path_meets(pattern, path), expected, "{pattern} {path}");
        };
        check("/charges", "/charges", true);
        check("/charges", "/charges/m/1/t", true);
        check("/charges/m/1", "/charges", false);
        check("*", "/refund", true);
        check("/charges/*/1/*", "/charges/m/1/t", true);
        check("/charges/*/1/*", "/charges/m/2/t", false);
        check("/charges/*", "/charges", false);
        check("*/1", "/charges/m/1", true);
        check("*/1", "/charges/m/1/t", false);
        check("/a*b*b", "/ab", false);
        check("/a*b*b", "/axbxb", true);
        check("/a?b*", "/axbx", false);
    }

    #[test]
    fn an_absent_part_is_met_by_anything() {
        let pattern = |method: Option<&str>, path: Option<&str>| {
            Pattern::new(method.map(str::to_owned), path.map(str::to_owned))
        };
        assert!(pattern(None, None).meets("GET", "/charges"));
        assert!(pattern(Some("get"), None).meets("GET", "/charges"));
        assert!(pattern(Some("*"), Some("/charges")).meets("POST", "/charges"));
        assert!(!pattern(Some("POST"), None).meets("GET", "/charges"));
        assert!(!pattern(None, Some("/refund")).meets("GET", "/charges"));
    }
}
