//! Style sheets that modules import as text. Not all browsers of today read such an import, so that
//! the build writes the text into the module.

use anyhow::{Context, Result, bail};
use std::borrow::Cow;

/// The beginning and the end of such an import.
const BEGIN: &str = "import css from './";
const END: &str = "' with { type: 'text' };\n";

/// A module with the text of the sheet that it imports, if it imports one.
pub(crate) fn written_in<'a>(
    module: &'a str,
    read: impl FnOnce(&str) -> Result<String>,
) -> Result<Cow<'a, str>> {
    let Some((before, rest)) = module.split_once(BEGIN) else {
        return Ok(Cow::Borrowed(module));
    };
    let (name, after) = rest
        .split_once(END)
        .context("a module imports a style sheet, but not as text")?;
    let css = read(name)?;
    // Only then the text of the module is the text of the sheet.
    if css.contains(['\\', '$', '`']) {
        bail!("{name} has a character that a module would have to escape");
    }
    Ok(Cow::Owned(format!(
        "{before}const css = `\n{css}`;\n{after}"
    )))
}

#[cfg(test)]
mod tests {
    use super::written_in;

    #[test]
    fn the_text_of_a_sheet_stands_in_its_module() {
        let module =
            "import a from 'b';\nimport css from './a.css' with { type: 'text' };\nf(css);\n";
        let read = |name: &str| {
            assert_eq!(name, "a.css");
            Ok(":host { display: block }\n".to_owned())
        };
        assert_eq!(
            written_in(module, read).unwrap(),
            "import a from 'b';\nconst css = `\n:host { display: block }\n`;\nf(css);\n"
        );
        let none = written_in("import a from './b.js';\n", |_| unreachable!());
        assert_eq!(none.unwrap(), "import a from './b.js';\n");
    }

    #[test]
    fn text_that_a_module_cannot_have_is_refused() {
        let module = "import css from './a.css' with { type: 'text' };\n";
        for css in ["a { b: ${c} }", "a::before { content: '\\a' }", "`"] {
            assert!(written_in(module, |_| Ok(css.to_owned())).is_err());
        }
        assert!(written_in("import css from './a.css';\n", |_| Ok(String::new())).is_err());
    }
}
