//! Functions are short. Must not live here: how long files are (`main.rs`).
use crate::code::words;
use crate::sources::{Source, assert_clean, crate_files};

/// The most lines of a function, counting its first and its last one.
const LONGEST: usize = 60;

/// The functions of a file: name, first line, lines.
fn functions(source: &Source) -> Vec<(String, usize, usize)> {
    let words = words(source);
    let mut found = Vec::new();
    for (at, pair) in words.windows(2).enumerate() {
        let [first, name] = pair else { continue };
        let named = name
            .text
            .starts_with(|c: char| c.is_alphabetic() || c == '_');
        if first.text != "fn" || !named {
            continue;
        }
        let mut depth = 0_usize;
        for word in words.iter().skip(at) {
            match word.text.as_str() {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            // A declaration without a body has no length.
            let declared = depth == 0 && word.text == ";";
            if declared || (depth == 0 && word.text == "}") {
                found.push((name.text.clone(), first.line, word.line - first.line + 1));
                break;
            }
        }
    }
    found
}

#[test]
fn no_function_is_too_long_to_read() {
    let mut breaches = Vec::new();
    for source in crate_files() {
        for (name, line, lines) in functions(&source) {
            if lines > LONGEST {
                breaches.push(format!("{}:{line}: {name} has {lines} lines", source.path));
            }
        }
    }
    assert_clean("functions over 60 lines", &breaches);
}

#[test]
fn a_function_ends_where_its_own_brace_closes() {
    let text = "trait T {\n    fn a(\n        &self,\n    );\n}\nfn b<'a>(c: [u8; 2]) {\n    let _ = '{';\n    let _ = r#\"}\"{\"#;\n    /* } */ match c { _ => () } // }\n}\n";
    let source = Source {
        path: String::new(),
        text: text.to_owned(),
    };
    assert_eq!(
        functions(&source),
        [("a".to_owned(), 2, 3), ("b".to_owned(), 6, 5)]
    );
}
