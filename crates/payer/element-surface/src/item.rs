//! The kinds of things that an element has. Texts are Markdown, without a capital letter and a full stop, as they
//! are in a table; links lead to the guides in `docs`.

/// A custom element.
#[derive(Debug)]
pub struct Element {
    /// The tag.
    pub tag: &'static str,
    /// The name of its class.
    pub class: &'static str,
    /// What it does, in sentences.
    pub about: &'static str,
    /// Its attributes.
    pub attributes: &'static [Attribute],
    /// Its properties that are no attributes.
    pub properties: &'static [Member],
    /// Its methods.
    pub methods: &'static [Member],
    /// Its events.
    pub events: &'static [Event],
    /// Its slots. The one for all other content has an empty name.
    pub slots: &'static [Named],
    /// The names for `::part()`.
    pub parts: &'static [Named],
    /// The custom properties that theme it.
    pub custom_properties: &'static [Property],
}

/// An attribute, which is a property of the class too, in camel case.
#[derive(Debug)]
pub struct Attribute {
    /// Its name in HTML.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Behavior when the attribute is absent; empty if nothing changes.
    pub absent: &'static str,
    /// The values that it takes.
    pub values: Values,
    /// True when another value makes it another checkout.
    pub is_identity: bool,
}

impl Attribute {
    /// What it is, with the words that it takes.
    #[must_use]
    pub fn described(&self) -> String {
        match self.values {
            Values::Open(_, words) => format!("{}: `{}`", self.about, words.join("`, `")),
            _ => self.about.to_owned(),
        }
    }
}

/// The values of an attribute.
#[derive(Debug)]
pub enum Values {
    /// Any text, of this TypeScript type.
    Text(&'static str),
    /// One of these words, of this TypeScript type.
    Words(&'static str, &'static [&'static str]),
    /// One or more of these words, or a form of them, of this TypeScript type.
    Open(&'static str, &'static [&'static str]),
    /// A boolean attribute: only its presence counts.
    Switch,
}

/// A property or a method of the class.
#[derive(Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Its TypeScript: the type of a property, parameters and result of a method.
    pub typescript: &'static str,
    /// True for a property that pages only read.
    pub is_read_only: bool,
    /// What it is.
    pub about: &'static str,
}

/// An event. It bubbles, and crosses shadow roots.
#[derive(Debug)]
pub struct Event {
    /// Its name.
    pub name: &'static str,
    /// Its TypeScript type.
    pub typescript: &'static str,
    /// When it is dispatched.
    pub when: &'static str,
    /// What is in the detail.
    pub about_detail: &'static str,
}

/// Something that has only a name.
#[derive(Debug)]
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
}

/// A custom property of CSS.
#[derive(Debug)]
pub struct Property {
    /// Its name.
    pub name: &'static str,
    /// Its default; that of the light and of the dark theme where they differ.
    pub default: &'static str,
    /// What it is.
    pub about: &'static str,
}

impl Attribute {
    /// The name of the property, in camel case.
    #[must_use]
    pub fn property(&self) -> String {
        camel(self.name)
    }

    /// The words that the attribute takes.
    #[must_use]
    pub fn words(&self) -> &'static [&'static str] {
        match self.values {
            Values::Words(_, words) | Values::Open(_, words) => words,
            Values::Text(_) | Values::Switch => &[],
        }
    }
}

/// `base-url` as `baseUrl`.
fn camel(name: &str) -> String {
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut all, word| {
        let mut letters = word.chars();
        all.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        all + letters.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::camel;

    #[test]
    fn a_property_has_the_name_of_its_attribute_in_camel_case() {
        assert_eq!(camel("methods"), "methods");
        assert_eq!(
            camel("merchant-operation-number"),
            "merchantOperationNumber"
        );
    }
}
