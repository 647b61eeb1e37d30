//! Each code that the engine can give is declared for TypeScript, so that whoever switches on it knows it. Must not live here: what the codes
//! are about (pkg/types/issue.d.ts).

use std::collections::BTreeSet;

use crate::sources::{assert_clean, sources};

/// The strings of a text in double or single quotes that are written like a code: small letters with `_` between them.
fn codes(text: &str, quote: char) -> BTreeSet<&str> {
    let is_small = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_code = |word: &&str| {
        let mut parts = word.split('_');
        word.contains('_') && parts.all(|part| !part.is_empty() && part.bytes().all(is_small))
    };
    // Between two quotes that are no pair stands no such word either: there are blanks or signs.
    text.split(quote).filter(is_code).collect()
}

#[test]
fn each_code_of_the_engine_is_declared() {
    let types = sources("pkg/types", &[".d.ts"]);
    let declared: BTreeSet<&str> = types
        .iter()
        .flat_map(|file| codes(&file.text, '\''))
        .collect();
    let mut missing = Vec::new();
    for file in ["src/policy", "src/hujson"]
        .iter()
        .flat_map(|folder| sources(folder, &[".rs"]))
    {
        // What an attribute names is a function.
        let lines = file
            .text
            .lines()
            .filter(|line| !line.contains("_with = \""));
        for code in lines.flat_map(|line| codes(line, '"')) {
            if !declared.contains(code) {
                missing.push(format!("{}: {code}", file.path));
            }
        }
    }
    assert_clean("codes that pkg/types does not declare", &missing);
    assert!(declared.contains("unknown_group"), "{declared:?}");
}
