//! A drawn screen as a tree of texts and tags, which screens of other pages are compared with.

use roxmltree::{Node, NodeType};
use serde_json::{Map, Value, json};

/// The page's language, where it is not the element's.
pub(crate) const FOREIGN: &str = "xx";

/// A node of the screen.
#[derive(Clone, PartialEq)]
pub(crate) enum Drawn {
    Text(String),
    Tag {
        name: String,
        attributes: Vec<(String, String)>,
        children: Vec<Drawn>,
        when: Option<&'static str>,
    },
}

impl Drawn {
    pub(crate) fn of(node: Node<'_, '_>) -> Self {
        if node.node_type() == NodeType::Text {
            return Self::Text(node.text().unwrap_or_default().to_owned());
        }
        Self::Tag {
            name: node.tag_name().name().to_owned(),
            attributes: node
                .attributes()
                .map(|attribute| (attribute.name().to_owned(), attribute.value().to_owned()))
                .collect(),
            children: node.children().map(Self::of).collect(),
            when: None,
        }
    }

    /// Notes that nodes which `less` does not have are not there without this value.
    pub(crate) fn compare(&mut self, less: &Self, value: &'static str) {
        let (Self::Tag { children, .. }, Self::Tag { children: left, .. }) = (self, less) else {
            return;
        };
        let mut left = left.iter().peekable();
        for child in children {
            match left.next_if(|other| child.is_like(other)) {
                Some(other) => child.compare(other, value),
                None => {
                    if let Self::Tag { when, .. } = child {
                        *when = Some(value);
                    }
                }
            }
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Tag { name, .. },
                Self::Tag {
                    name: other_name, ..
                },
            ) => name == other_name && self.attribute("class") == other.attribute("class"),
            (one, other) => one == other,
        }
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        let Self::Tag { attributes, .. } = self else {
            return None;
        };
        attributes
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Empties the region for screen readers: nothing is announced on a page that has just been opened.
    pub(crate) fn silence(&mut self) {
        let is_region = self.attribute("role") == Some("status");
        let Self::Tag { children, .. } = self else {
            return;
        };
        if is_region {
            *children = vec![Self::Tag {
                name: "span".to_owned(),
                attributes: vec![],
                children: vec![],
                when: None,
            }];
        } else {
            children.iter_mut().for_each(Self::silence);
        }
    }

    /// Notes where the language of the page is written, which `foreign` has.
    pub(crate) fn note_language(&mut self, foreign: &Self) {
        let is_foreign = foreign.attribute("lang") == Some(FOREIGN);
        let (
            Self::Tag {
                attributes,
                children,
                ..
            },
            Self::Tag {
                children: others, ..
            },
        ) = (self, foreign)
        else {
            return;
        };
        if is_foreign {
            attributes.push(("lang".to_owned(), "{page}".to_owned()));
        }
        for (child, other) in children.iter_mut().zip(others) {
            child.note_language(other);
        }
    }

    /// Replaces whole words: texts, tags and values of attributes.
    pub(crate) fn replace(&mut self, change: &mut impl FnMut(&str) -> Option<String>) {
        let mut replace = |word: &mut String| {
            if let Some(new) = change(word) {
                *word = new;
            }
        };
        match self {
            Self::Text(text) => replace(text),
            Self::Tag {
                name,
                attributes,
                children,
                ..
            } => {
                replace(name);
                attributes.iter_mut().for_each(|(_, value)| replace(value));
                children.iter_mut().for_each(|child| child.replace(change));
            }
        }
    }

    pub(crate) fn texts(&self) -> Vec<&str> {
        match self {
            Self::Text(text) => vec![text],
            Self::Tag { children, .. } => children.iter().flat_map(Self::texts).collect(),
        }
    }

    /// The children of the first node of this class.
    pub(crate) fn children_of(&mut self, class: &str) -> Option<&mut Vec<Self>> {
        let is_it = self.attribute("class") == Some(class);
        let Self::Tag { children, .. } = self else {
            return None;
        };
        if is_it {
            Some(children)
        } else {
            children
                .iter_mut()
                .find_map(|child| child.children_of(class))
        }
    }

    pub(crate) fn data(&self) -> Value {
        match self {
            Self::Text(text) => json!(text),
            Self::Tag {
                name,
                attributes,
                children,
                when,
            } => {
                let attributes: Map<String, Value> = attributes
                    .iter()
                    .map(|(name, value)| (name.clone(), json!(value)))
                    .collect();
                let mut parts = vec![
                    json!(name),
                    attributes.into(),
                    children.iter().map(Self::data).collect(),
                ];
                parts.extend(when.map(|when| json!(when)));
                parts.into()
            }
        }
    }
}
