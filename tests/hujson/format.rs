//! The canonical layout: one pair of files for each rule and corner, and its laws.
//!
//! `tests/hujson/format/HEADING-what.hujson` must become the `.want` beside it; the heading is one of docs/hujson.md#layout.
//! Must not live here: `patch`.

use std::path::Path;

use crate::texts::{self, Extra, comments, meaning};
use proptest::prelude::*;
use tailnet_kit::hujson::{format, parse};

fn fixtures() -> Vec<(String, String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hujson/format");
    let mut fixtures: Vec<_> = (std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "hujson")
        })
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let want = std::fs::read_to_string(path.with_extension("want")).unwrap();
            (
                path.file_stem().unwrap().to_string_lossy().into_owned(),
                text,
                want,
            )
        })
        .collect();
    fixtures.sort();
    fixtures
}

#[test]
fn every_rule_and_corner() {
    let fixtures = fixtures();
    assert!(fixtures.len() > 90, "the fixtures are there");
    for (name, text, want) in fixtures {
        assert_eq!(format(&text).unwrap(), want, "{name}");
        assert_eq!(format(&want).unwrap(), want, "{name}, a second time");
    }
}

#[test]
fn a_text_that_is_not_hujson_is_refused_with_its_place() {
    let error = format("{\n\t\"a\": 1,,\n}").unwrap_err();
    assert_eq!(error.code(), "hujson_syntax");
    assert_eq!((error.position().line, error.position().column), (2, 9));
}

#[test]
fn the_deepest_nesting_is_laid_out() {
    let depth = tailnet_kit::hujson::MAX_DEPTH;
    let flat = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let lines = format(&flat).unwrap();
    assert_eq!(format(&lines).unwrap(), lines);
    assert_eq!(meaning(&lines), meaning(&flat));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn formatting_again_changes_nothing(text in texts::text(Extra::Comments)) {
        let once = format(&text).unwrap();
        prop_assert_eq!(format(&once).unwrap(), once);
    }

    #[test]
    fn values_and_comments_stay_in_their_order(text in texts::text(Extra::Comments)) {
        let formatted = format(&text).unwrap();
        prop_assert_eq!(meaning(&formatted), meaning(&text));
        prop_assert_eq!(comments(&formatted), comments(&text));
    }

    #[test]
    fn standard_json_stays_standard(text in texts::text(Extra::Space)) {
        let formatted = format(&text).unwrap();
        let value: serde_json::Value = serde_json::from_str(&formatted).unwrap();
        prop_assert_eq!(value, serde_json::from_str::<serde_json::Value>(&text).unwrap());
    }

    #[test]
    fn lines_are_clean(text in texts::text(Extra::Comments)) {
        let formatted = format(&text).unwrap();
        prop_assert!(formatted.ends_with('\n') && !formatted.ends_with("\n\n"));
        prop_assert!(!formatted.starts_with([' ', '\t', '\n']));
        prop_assert!(!formatted.contains('\r'));
        for line in formatted.lines() {
            prop_assert_eq!(line, line.trim_end());
        }
    }

    #[test]
    fn a_short_value_without_line_breaks_stays_on_one_line(text in texts::value(Extra::Space)) {
        let text = text.replace('\n', " ");
        let lines = format(&text).unwrap().lines().count();
        prop_assert!(lines == 1 || text.len() > 40, "{lines} lines");
    }

    #[test]
    fn any_text_is_laid_out_or_refused(text in "[\\[\\]{},:/*\" \n\r1a\\\\]{0,24}") {
        prop_assert_eq!(format(&text).is_ok(), parse(&text).is_ok());
    }
}
