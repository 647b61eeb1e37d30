//! The operation `test`: when two values are equal. Must not live here: other operations.

use tailnet_kit::hujson::patch;

use super::patched;

#[track_caller]
fn same(one: &str, other: &str) -> bool {
    let operation = |value: &str| format!(r#"[{{"op":"test","path":"/0","value":{value}}}]"#);
    let both = patch(&format!("[{one}]"), &operation(other)).is_ok();
    assert_eq!(both, patch(&format!("[{other}]"), &operation(one)).is_ok());
    both
}

#[test]
fn numbers_by_value() {
    for number in ["1.0", "10e-1", "1E0", "0.01e+2", "100e-2"] {
        assert!(same("1", number), "{number}");
    }
    assert!(same("0", "-0.0e7") && same("1e400", "10e399") && same("-5", "-5.00"));
    assert!(!same("1", "-1") && !same("1", "10") && !same("1", "\"1\"") && !same("0", "null"));
}

/// `JSON.stringify` writes the first number of each pair as the second, once `JSON.parse` has read it.
#[test]
fn numbers_as_they_come_back_from_javascript() {
    for (number, back) in [
        ("12345678901234567891", "12345678901234567000"),
        ("9007199254740993", "9007199254740992"),
        ("0.1000000000000000055511151231257827", "0.1"),
        ("1e-400", "0"),
        ("100000000000000000000000", "1e+23"),
    ] {
        assert!(same(number, back), "{number}");
    }
    assert!(!same("9007199254740991", "9007199254740992") && !same("0.1", "0.10000000000000002"));
    let huge = "1e99999999999999999999999999999999999999999";
    assert!(same(huge, huge) && !same(huge, "1e308") && !same(huge, &format!("-{huge}")));
}

#[test]
fn strings_by_their_characters() {
    assert!(same(r#""\u0061/é""#, r#""a\/\u00e9""#));
    assert!(!same(r#""a""#, r#""A""#));
}

#[test]
fn composites_by_their_members() {
    assert!(same(
        r#"{"a": 1, /*c*/ "b": [2,],}"#,
        r#"{"b": [2], "a": 1.0}"#
    ));
    assert!(same(r#"{"a": 1, "a": 2}"#, r#"{"a": 2}"#));
    assert!(!same("[1, 2]", "[2, 1]") && !same("[1]", "[1, 1]") && !same("{}", "[]"));
    assert!(!same(r#"{"a": 1}"#, r#"{"a": 1, "b": 1}"#));
}

#[test]
fn tests_see_the_effects_of_earlier_operations() {
    patched(
        r#"{"a": {"b": 1}}"#,
        r#"[{"op":"add","path":"/a/c","value":[]},{"op":"add","path":"/a/c/-","value":2},
            {"op":"test","path":"","value":{"a":{"c":[2],"b":1}}},
            {"op":"test","path":"/a/c/0","value":2}]"#,
    );
}
