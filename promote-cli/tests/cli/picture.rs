//! Functions that the tests of pictures share.

use std::collections::BTreeSet;

use roxmltree::{Document, ParsingOptions};

/// A picture or a page; it is XML.
pub(crate) fn parse(text: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Every piece of text in it.
pub(crate) fn words<'a>(document: &'a Document<'_>) -> BTreeSet<&'a str> {
    document
        .descendants()
        .filter(roxmltree::Node::is_text)
        .filter_map(|node| node.text())
        .map(str::trim)
        .collect()
}

/// The first thing drawn is as large as the picture, so that the page behind it does not matter.
pub(crate) fn has_background(document: &Document) {
    let root = document.root_element();
    let first = root.children().find(|node| node.has_tag_name("rect")).expect("a rectangle");
    for attribute in ["width", "height"] {
        assert_eq!(first.attribute(attribute), root.attribute(attribute), "{attribute}");
    }
    let drawn = root.children().find(|node| node.is_element() && !node.has_tag_name("title"));
    assert_eq!(drawn, Some(first));
}
