//! Which rows and columns a matrix is asked for. Must not live here: what its cells hold (access.rs).

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{AccessOptions, By, Policy, PolicyContext};

const TEXT: &str = r#"{
  "groups": {"group:dev": ["ann@example.com", "bob@example.com"], "group:gone": []},
  "tagOwners": {"tag:web": [], "tag:db": []},
  "hosts": {"printer": "10.0.0.9"},
  "acls": [
    {"action": "accept", "src": ["group:dev"], "dst": ["tag:web:443", "printer:631"]},
    {"action": "accept", "src": ["tag:web"], "dst": ["tag:db:5432"]},
    {"action": "accept", "src": ["autogroup:member"], "dst": ["autogroup:self:22", "ann@example.com:80"]},
  ],
}"#;

fn tailnet() -> PolicyContext {
    let context = json!({"devices": [
        {"id": "1", "name": "laptop.tail.ts.net", "user": "ann@example.com", "addresses": ["100.64.0.1"]},
        {"id": "2", "hostname": "desk", "user": "bob@example.com", "addresses": ["100.64.0.2"]},
        {"id": "3", "hostname": "web", "tags": ["tag:web"], "addresses": ["100.64.0.3"]},
        {"id": "4", "hostname": "web", "tags": ["tag:web"], "addresses": ["100.64.0.4"]},
    ], "users": [{"loginName": "zoe@example.com", "role": "member"}]});
    serde_json::from_value(context).expect("a context")
}

fn asked(by: By, from: &[&str], to: &[&str]) -> Result<Value, String> {
    let document = hujson::parse(TEXT).expect("a policy parses");
    let list = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Some(names).filter(|names| !names.is_empty())
    };
    let (from, to) = (list(from), list(to));
    let matrix = Policy::read(&document).access(&tailnet(), AccessOptions { by, from, to });
    match matrix {
        Ok(matrix) => Ok(json!(matrix)),
        Err(error) => {
            assert_eq!(error.code(), "invalid_argument");
            Err(error.to_string())
        }
    }
}

/// The cells with names: source, ports, destination.
fn cells(matrix: &Value) -> Vec<String> {
    let name = |side: &str, at: &Value| {
        let at = usize::try_from(at.as_u64().expect("an index")).expect("small");
        matrix[side][at].as_str().expect("a name").to_owned()
    };
    let mut cells = Vec::new();
    for cell in matrix["cells"].as_array().expect("a list") {
        let (from, to) = (
            name("sources", &cell["source"]),
            name("destinations", &cell["destination"]),
        );
        cells.push(format!("{from} {} {to}", cell["ports"]));
    }
    cells
}

#[track_caller]
fn found(by: By, from: &[&str], to: &[&str]) -> Value {
    asked(by, from, to).expect("a matrix")
}

#[test]
fn only_the_rows_and_columns_of_these_names_are_there() {
    let matrix = found(By::Name, &["ann@example.com"], &["tag:web", "printer"]);
    assert_eq!(matrix["sources"], json!(["ann@example.com"]));
    assert_eq!(matrix["destinations"], json!(["tag:web", "printer"]));
    assert_eq!(
        matrix["parties"]["destinations"],
        json!([{"kind": "tag", "name": "tag:web"}, {"kind": "host", "name": "printer"}])
    );
    assert_eq!(
        cells(&matrix),
        [
            r#"ann@example.com ["443"] tag:web"#,
            r#"ann@example.com ["631"] printer"#
        ]
    );
}

#[test]
fn who_reaches_one_name_is_a_column() {
    let matrix = found(By::Name, &[], &["tag:db"]);
    assert_eq!(matrix["destinations"], json!(["tag:db"]));
    assert_eq!(cells(&matrix), [r#"tag:web ["5432"] tag:db"#]);
}

#[test]
fn a_group_stands_for_its_members() {
    let matrix = found(By::Name, &["group:dev"], &["tag:web"]);
    assert_eq!(
        matrix["sources"],
        json!(["ann@example.com", "bob@example.com"])
    );
    let matrix = found(By::Device, &["group:dev"], &["tag:web"]);
    assert_eq!(matrix["sources"], json!(["desk", "laptop"]));
    assert_eq!(matrix["destinations"], json!(["web (3)", "web (4)"]));
    assert_eq!(cells(&matrix).len(), 4);
}

/// The cell of `autogroup:self` is read from the column of the user, which is not asked for here.
#[test]
fn ones_own_devices_are_reached_without_a_column_of_the_user() {
    let matrix = found(By::Name, &["ann@example.com"], &["autogroup:self"]);
    assert_eq!(matrix["destinations"], json!(["autogroup:self"]));
    let whole = found(By::Name, &[], &[]);
    let own: Vec<String> = cells(&whole)
        .into_iter()
        .filter(|cell| cell.starts_with("ann@") && cell.ends_with(" autogroup:self"))
        .collect();
    assert_eq!(own.len(), 1);
    assert_eq!(cells(&matrix), own);
}

#[test]
fn a_device_is_asked_for_by_any_of_its_names() {
    for name in [
        "laptop",
        "Laptop.tail.ts.net",
        "1",
        "100.64.0.1",
        "ann@example.com",
    ] {
        let matrix = found(By::Device, &[name], &["web (3)"]);
        assert_eq!(matrix["sources"], json!(["laptop"]), "{name}");
        assert_eq!(matrix["destinations"], json!(["web (3)"]), "{name}");
    }
}

#[test]
fn what_is_defined_but_empty_reaches_nothing() {
    let matrix = found(By::Name, &["group:gone"], &["tag:web"]);
    assert_eq!((&matrix["sources"], cells(&matrix).len()), (&json!([]), 0));
    for name in ["tag:db", "zoe@example.com"] {
        assert_eq!(found(By::Device, &[name], &[])["sources"], json!([]));
    }
}

#[test]
fn an_unknown_name_is_called_unknown() {
    let refused = |by, from: &[&str], to: &[&str]| asked(by, from, to).expect_err("an error");
    assert_eq!(
        refused(By::Name, &["ann@example.com", "tag:wbe"], &[]),
        "no source of the matrix is called `tag:wbe`; did you mean `tag:web`?"
    );
    assert_eq!(
        refused(By::Name, &[], &["db"]),
        "no destination of the matrix is called `db`; did you mean `tag:db`?"
    );
    assert_eq!(
        refused(By::Name, &[], &["laptop"]),
        "no destination of the matrix is called `laptop`; a device has its place in the matrix by device"
    );
    assert_eq!(
        refused(By::Device, &["mallory@example.com"], &[]),
        "no source of the matrix is called `mallory@example.com`"
    );
    assert!(refused(By::Device, &["web"], &[]).starts_with("several devices are called `web`: "));
}
