//! Edits of a policy: entries of lists, named values, disabled entries, which are comments, and edits for an editor.
//! Must not live here: the first verbs for rules, groups and hosts (`verbs`).

use proptest::prelude::*;
use tailnet_kit::hujson::{self, Splice, changes, parse, splice};
use tailnet_kit::policy::edit::{self, Approval, EditError, ListSection};

fn done(edited: Result<String, EditError>) -> String {
    edited.expect("an edit")
}

/// A verb with its name given.
type Set = dyn Fn(&str, Option<&[String]>) -> Result<String, EditError>;

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn refused(edited: Result<String, EditError>) -> String {
    let error = edited.expect_err("a refusal");
    assert_eq!(error.code(), "invalid_argument");
    error.to_string()
}

const LISTS: &str = "{
\t// Who may reach what.
\t\"ACLs\": [
\t\t// web
\t\t{\"action\": \"accept\", \"src\": [\"*\"], \"dst\": [\"web:80\"]}, // all
\t\t{
\t\t\t\"action\": \"accept\",
\t\t\t// who
\t\t\t\"src\": [
\t\t\t\t\"a@example.com\", // first
\t\t\t\t\"b@example.com\"
\t\t\t],
\t\t\t\"dst\": [\"db:5432\"] // the database
\t\t}
\t],
\t\"tests\": [{\"src\": \"a@example.com\", \"accept\": [\"db:5432\"]}]
}
";

#[test]
fn an_entry_is_added_to_any_list() {
    let added = done(edit::add(
        LISTS,
        ListSection::Tests,
        r#"{"src": "b@example.com"}"#,
        Some(0),
    ));
    assert!(
        added.contains(r#""tests": [{"src": "b@example.com"}, {"src": "a@example.com", "accept""#),
        "{added}"
    );
    for section in ListSection::ALL {
        let made = done(edit::add("{}", section, r#"{"src": []}"#, None));
        assert_eq!(
            hujson::minimize(&made).expect("HuJSON"),
            format!(r#"{{"{}":[{{"src":[]}}]}}"#, section.name())
        );
    }
    assert!(
        refused(edit::add(LISTS, ListSection::Acls, "{}", Some(3))).contains("no place 3 in acls")
    );
    assert!(refused(ListSection::by_name("rules").map(|_| String::new())).contains("`rules`"));
}

#[test]
fn unchanged_parts_of_a_replaced_entry_keep_place_and_comments() {
    let wanted = r#"{"src": ["b@example.com", "c@example.com"], "action": "accept", "dst": ["db:5432"], "proto": "tcp"}"#;
    let replaced = done(edit::replace(LISTS, ListSection::Acls, 1, wanted));
    let expected = LISTS
        .replace("\t\t\t\t\"a@example.com\", // first\n", "")
        .replace(
            "\t\t\t\t\"b@example.com\"\n",
            "\t\t\t\t\"b@example.com\",\n\t\t\t\t\"c@example.com\"\n",
        )
        .replace(
            "\"dst\": [\"db:5432\"] // the database\n",
            "\"dst\": [\"db:5432\"], // the database\n\t\t\t\"proto\": \"tcp\"\n",
        );
    assert_eq!(replaced, expected);
    let same =
        r#"{"dst": ["db:5432"], "src": ["a@example.com", "b@example.com"], "action": "accept"}"#;
    assert_eq!(
        done(edit::replace(LISTS, ListSection::Acls, 1, same)),
        LISTS
    );
    refused(edit::replace(LISTS, ListSection::Acls, 2, same));
    refused(edit::replace(LISTS, ListSection::Acls, 0, "{"));
}

#[test]
fn an_entry_is_moved_with_its_comments() {
    let text =
        "{\"acls\": [\n\t// one\n\t{\"a\": 1}, // 1\n\t{\"b\": 2},\n\t// three\n\t{\"c\": 3},\n]}";
    assert_eq!(
        done(edit::relocate(text, ListSection::Acls, 0, 2)),
        "{\"acls\": [\n\t{\"b\": 2},\n\t// three\n\t{\"c\": 3},\n\t// one\n\t{\"a\": 1}, // 1\n]}"
    );
    for (from, to) in [(0, 1), (2, 0), (1, 1)] {
        let there = done(edit::relocate(text, ListSection::Acls, from, to));
        let back = done(edit::relocate(&there, ListSection::Acls, to, from));
        assert_eq!(hujson::minimize(&back).ok(), hujson::minimize(text).ok());
    }
    refused(edit::relocate(text, ListSection::Acls, 0, 3));
    refused(edit::relocate(text, ListSection::Acls, 3, 0));
}

#[test]
fn named_values_are_set_and_removed() {
    let owners = texts(&["group:ops"]);
    let sets: [(&str, &Set); 6] = [
        (
            r#"{"tagOwners":{"tag:web":["group:ops"]}}"#,
            &|text, list| edit::set_tag_owners(text, "web", list),
        ),
        (
            r#"{"ipsets":{"ipset:web":["group:ops"]}}"#,
            &|text, list| edit::set_ipset(text, "ipset:web", list),
        ),
        (
            r#"{"postures":{"posture:web":["group:ops"]}}"#,
            &|text, list| edit::set_posture(text, "web", list),
        ),
        (
            r#"{"autoApprovers":{"exitNode":["group:ops"]}}"#,
            &|text, list| edit::set_auto_approvers(text, Approval::ExitNode, list),
        ),
        (
            r#"{"autoApprovers":{"routes":{"10.0.0.0/8":["group:ops"]}}}"#,
            &|text, list| edit::set_auto_approvers(text, Approval::Route("10.0.0.0/8"), list),
        ),
        (
            r#"{"autoApprovers":{"services":{"svc:web":["group:ops"]}}}"#,
            &|text, list| edit::set_auto_approvers(text, Approval::Service("web"), list),
        ),
    ];
    for (expected, set) in sets {
        let made = done(set("{}", Some(&owners)));
        assert_eq!(hujson::minimize(&made).as_deref().ok(), Some(expected));
        assert_eq!(done(set(&made, Some(&owners))), made, "it is there already");
        assert!(!done(set(&made, None)).contains("ops"), "{expected}");
        assert_eq!(done(set("{}", None)), "{}", "nothing to take out");
    }
    let posture = done(edit::set_default_src_posture(
        "{}",
        Some(&texts(&["posture:a"])),
    ));
    assert_eq!(
        hujson::minimize(&posture).as_deref().ok(),
        Some(r#"{"defaultSrcPosture":["posture:a"]}"#)
    );
    assert_eq!(
        hujson::minimize(&done(edit::set_default_src_posture(&posture, None)))
            .as_deref()
            .ok(),
        Some("{}")
    );
    let config = done(edit::set_attr_config(
        "{}",
        "custom:tier",
        Some(r#"{"type": "string"}"#),
    ));
    assert!(
        config.contains(r#""custom:tier": {"type": "string"}"#),
        "{config}"
    );
    let option = done(edit::set_option("{}", "disableIPv4", Some("true")));
    assert_eq!(
        hujson::minimize(&option).as_deref().ok(),
        Some(r#"{"disableIPv4":true}"#)
    );
    assert_eq!(
        done(edit::set_option(&option, "disableIPv4", None)).replace(char::is_whitespace, ""),
        "{}"
    );
    assert!(refused(edit::set_option("{}", "acls", Some("[]"))).contains("`acls`"));
    refused(edit::set_tag_owners("{}", "tag:", Some(&owners)));
}

#[test]
fn a_list_keeps_the_comments_of_entries_that_stay() {
    let text = "{\"autoApprovers\": {\"Routes\": {\"10.0.0.0/8\": [\n\t\"tag:a\", // one\n\t\"tag:b\", // two\n]}}}";
    let wanted = texts(&["tag:b", "tag:c"]);
    assert_eq!(
        done(edit::set_auto_approvers(
            text,
            Approval::Route("10.0.0.0/8"),
            Some(&wanted)
        )),
        "{\"autoApprovers\": {\"Routes\": {\"10.0.0.0/8\": [\n\t\"tag:b\", // two\n\t\"tag:c\",\n]}}}"
    );
}

#[test]
fn an_entry_with_lines_of_its_own_becomes_line_comments() {
    let off = done(edit::disable(LISTS, ListSection::Acls, 1));
    let expected = LISTS.replace(
        "\t\t{\n\t\t\t\"action\": \"accept\",\n\t\t\t// who\n\t\t\t\"src\": [\n\t\t\t\t\"a@example.com\", // first\n\t\t\t\t\"b@example.com\"\n\t\t\t],\n\t\t\t\"dst\": [\"db:5432\"] // the database\n\t\t}\n",
        "\t\t// {\n\t\t// \t\"action\": \"accept\",\n\t\t// \t// who\n\t\t// \t\"src\": [\n\t\t// \t\t\"a@example.com\", // first\n\t\t// \t\t\"b@example.com\"\n\t\t// \t],\n\t\t// \t\"dst\": [\"db:5432\"] // the database\n\t\t// }\n",
    );
    assert_eq!(off, expected);
    let at = off.find("// {").expect("the comment");
    assert_eq!(done(edit::enable(&off, at)), LISTS);
    let places = edit::disabled(&off).expect("a policy");
    assert_eq!(places.len(), 1);
    assert_eq!(
        (places[0].section, places[0].span.start),
        (ListSection::Acls, at)
    );
    assert!(off[..places[0].span.end].ends_with("// }"));
}

#[test]
fn an_entry_among_others_on_a_line_becomes_a_block_comment() {
    let text = r#"{"acls": [{"a": "*/"}, {"b": 2} /* x */ , {"c": "*\/"}]}"#;
    for (index, expected) in [
        (
            0,
            r#"{"acls": [/* {"a": "*\/"}, */ {"b": 2} /* x */ , {"c": "*\/"}]}"#,
        ),
        (
            1,
            r#"{"acls": [{"a": "*/"}, /* {"b": 2} /* x *\/ , */ {"c": "*\/"}]}"#,
        ),
        (
            2,
            r#"{"acls": [{"a": "*/"}, {"b": 2} /* x */ , /* {"c": "*\\/"} */]}"#,
        ),
    ] {
        let off = done(edit::disable(text, ListSection::Acls, index));
        assert_eq!(off, expected);
        let at = edit::disabled(&off).expect("a policy")[0].span.start;
        assert_eq!(done(edit::enable(&off, at)), text);
    }
}

#[test]
fn entries_commented_out_by_hand_are_found_and_commas_are_added() {
    let text = "{\"grants\": [\n\t// Not an entry: {\"a\": 1}\n\t//{\"a\": 1},\n\t{\"b\": 2}\n\t// {\"c\": 3}\n\t// {\n\t/* {\"d\": 4} */\n]}";
    let found: Vec<&str> = edit::disabled(text)
        .expect("a policy")
        .iter()
        .map(|one| &text[one.span.start..one.span.end])
        .collect();
    assert_eq!(
        found,
        ["//{\"a\": 1},", "// {\"c\": 3}", "/* {\"d\": 4} */"]
    );
    let at = text.find("// {\"c\"").expect("it");
    let on = done(edit::enable(text, at + 3));
    assert!(on.contains("{\"b\": 2},\n\t{\"c\": 3}\n"), "{on}");
    parse(&on).expect("HuJSON");
    assert!(refused(edit::enable(text, 0)).contains("comment"));
    refused(edit::enable(text, text.len()));
    refused(edit::disable("{\"acls\": [1]}", ListSection::Acls, 0));
    refused(edit::disable(text, ListSection::Grants, 1));
}

/// Space and comments between two tokens.
fn extra() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "",
        " ",
        "\n",
        "\n\t",
        "\n\n  ",
        "\r\n",
        "// c\n",
        "\t// {\"z\": 1},\n",
        "/* b */",
        "/* { */",
        "/*\n*/",
        "// {\n",
        "/* {\"y\": 2} */",
    ]);
    prop::collection::vec(piece, 0..3).prop_map(|pieces| pieces.concat())
}

/// An object, over one line or several.
fn entry() -> impl Strategy<Value = String> {
    let inside = prop::sample::select(vec![
        "",
        "\"a\": 1",
        "\n\t\t\"a\": [1, 2],\n\n\t\t// x\n\t\"b\": \"}*/\"\n\t",
        "\"c\": {\"d\": \"\\\"{\"}",
        "\r\n\"e\": 1\r\n",
        "/* * / */",
        "\n\"f\": \"//\", // {\n",
    ]);
    inside.prop_map(|inside| format!("{{{inside}}}"))
}

fn list() -> impl Strategy<Value = String> {
    let entries = prop::collection::vec((extra(), entry(), extra()), 1..4);
    (entries, any::<bool>(), extra()).prop_map(|(entries, trailing, end)| {
        let entries: Vec<String> = entries
            .into_iter()
            .map(|(before, entry, behind)| format!("{before}{entry}{behind}"))
            .collect();
        let comma = if trailing { "," } else { "" };
        format!("{{\"ssh\": [{}{comma}{end}]}}", entries.join(","))
    })
}

proptest! {
    #[test]
    fn enabling_what_was_disabled_gives_the_text_back(text in list(), choice: prop::sample::Index) {
        let document = parse(&text).expect("HuJSON");
        let section = document.root().get("ssh").expect("a list");
        let entries: Vec<_> = section.elements().collect();
        let index = choice.index(entries.len());
        let start = entries[index].span().start;
        let off = edit::disable(&text, ListSection::Ssh, index).expect("an edit");
        let left = parse(&off).expect("HuJSON");
        let left = left.root().get("ssh").expect("a list").elements().count();
        prop_assert_eq!(left, entries.len() - 1, "{}", off);
        prop_assert_eq!(edit::enable(&off, start).expect("an edit"), text, "{}", off);
    }

    #[test]
    fn whatever_is_disabled_can_be_enabled(text in list()) {
        let count = |text: &str| {
            let document = parse(text).expect("HuJSON");
            document.root().get("ssh").expect("a list").elements().count()
        };
        for one in edit::disabled(&text).expect("a policy") {
            let on = edit::enable(&text, one.span.start).expect("an edit");
            prop_assert_eq!(count(&on), count(&text) + 1, "{} {}", text, on);
        }
    }

    #[test]
    fn changes_lead_from_one_text_to_the_other(lines in prop::collection::vec(("[ab}é😀]{0,3}", 0..4), 0..12)) {
        let old: String = lines.iter().filter(|(_, side)| *side != 1).map(|(line, _)| format!("{line}\n")).collect();
        let new: String = lines.iter().filter(|(_, side)| *side != 2).map(|(line, side)| format!("{line}{}\n", if *side == 3 { "x" } else { "" })).collect();
        let all = changes(&old, &new);
        prop_assert_eq!(splice(&old, &all), Some(new.clone()));
        prop_assert!(all.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
        prop_assert!(all.is_empty() == (old == new));
    }
}

#[test]
fn a_change_of_two_places_is_two_small_edits() {
    let (old, new) = ("a: 1\nb: 2\nc: 3\nd: 4\n", "a: 10\nb: 2\nd: 4\nd: 5\n");
    let all: Vec<_> = changes(old, new)
        .into_iter()
        .map(|Splice { span, insert }| (&old[span.start..span.end], insert))
        .collect();
    assert_eq!(
        all,
        [
            ("", "0".to_owned()),
            ("c: 3\n", String::new()),
            ("", "d: 5\n".to_owned())
        ]
    );
}

#[test]
fn splices_that_overlap_are_refused() {
    let splice_of = |start, end| Splice {
        span: hujson::Span { start, end },
        insert: "x".to_owned(),
    };
    assert_eq!(
        splice("abc", &[splice_of(2, 3), splice_of(0, 1)]),
        Some("xbx".to_owned())
    );
    assert_eq!(splice("abc", &[splice_of(0, 2), splice_of(1, 3)]), None);
    assert_eq!(splice("abc", &[splice_of(2, 9)]), None);
    assert_eq!(splice("aé", &[splice_of(2, 2)]), None);
}
