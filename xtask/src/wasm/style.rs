//! Style sheets as files of their own, out of the modules that hold their text: browsers whose
//! scripts cannot make a sheet link to them.

use anyhow::{Result, bail};

/// How the text begins in a module.
const BEGIN: &str = "export const css = `";

/// The style sheet that a module holds, if it holds one.
pub(crate) fn held_by(module: &str) -> Result<Option<&str>> {
    let Some((_, text)) = module.split_once(BEGIN) else {
        return Ok(None);
    };
    let Some((css, _)) = text.split_once('`') else {
        bail!("a style sheet has no end");
    };
    // Only then the text of the module is the text of the sheet.
    if css.contains(['\\', '$']) {
        bail!("a style sheet has something escaped or filled in, which its file cannot have");
    }
    Ok(Some(css.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::held_by;

    #[test]
    fn a_sheet_is_the_text_between_the_quotes() {
        let module = "import a from 'b';\nexport const css = `\n:host { display: block }\n`;\n";
        assert_eq!(held_by(module).unwrap(), Some(":host { display: block }\n"));
        assert_eq!(held_by("export const a = `b`;").unwrap(), None);
    }

    #[test]
    fn what_a_file_cannot_have_is_refused() {
        for css in ["a { b: ${c} }", "a::before { content: '\\a' }"] {
            assert!(held_by(&format!("export const css = `{css}`;")).is_err());
        }
        assert!(held_by("export const css = `a").is_err());
    }
}
