//! Errors of the offline helpers as what is thrown.
//!
//! Must not live here: the wording of errors, errors of the client (`call_error`).

use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::error::{InvalidArgument, bare, marked};
use crate::json::through_json;
use crate::thrown::Thrown;
use tailnet_kit::Code;
use tailnet_kit::hujson::{self, Issue};
use tailnet_kit::policy::{self, Check, edit};
use tailnet_kit::{api, cidr};

impl From<api::Error> for InvalidArgument {
    fn from(error: api::Error) -> Self {
        Self(error.to_string())
    }
}

/// The object for an error of this code, with the fields of its class.
fn thrown(code: Code, message: &str, fields: &impl Serialize) -> JsValue {
    marked(through_json(fields), code, message)
}

#[derive(Serialize)]
struct Syntax {
    issue: Issue,
}

impl From<hujson::Error> for Thrown {
    #[inline(never)]
    fn from(error: hujson::Error) -> Self {
        let issue = Issue::syntax(&error);
        Thrown(thrown(error.code(), &error.to_string(), &Syntax { issue }))
    }
}

#[derive(Serialize)]
struct Operation {
    /// Its index; -1 where the list as a whole is at fault.
    operation: isize,
}

impl From<hujson::PatchError> for Thrown {
    #[inline(never)]
    fn from(error: hujson::PatchError) -> Self {
        if let Some(syntax) = error.syntax_error() {
            return syntax.clone().into();
        }
        let index = error.operation().and_then(|index| index.try_into().ok());
        let operation = index.unwrap_or(-1);
        Thrown(thrown(
            error.code(),
            &error.to_string(),
            &Operation { operation },
        ))
    }
}

impl From<cidr::Error> for InvalidArgument {
    fn from(error: cidr::Error) -> Self {
        Self(error.to_string())
    }
}

#[derive(Serialize)]
struct Refused {
    check: Box<Check>,
}

impl From<policy::Error> for Thrown {
    #[inline(never)]
    fn from(error: policy::Error) -> Self {
        let (code, message) = (error.code(), error.to_string());
        match error {
            policy::Error::Syntax(error) => error.into(),
            policy::Error::Refused(check) | policy::Error::RefusedOf(_, check) => {
                Thrown(thrown(code, &message, &Refused { check }))
            }
            _ => Thrown(bare(code, &message)),
        }
    }
}

impl From<InvalidArgument> for policy::Error {
    fn from(error: InvalidArgument) -> Self {
        policy::Error::Argument(error.0)
    }
}

impl From<edit::EditError> for Thrown {
    #[inline(never)]
    fn from(error: edit::EditError) -> Self {
        match error {
            edit::EditError::Syntax(error) => error.into(),
            other => Thrown(bare(other.code(), &other.to_string())),
        }
    }
}

impl From<InvalidArgument> for edit::EditError {
    fn from(error: InvalidArgument) -> Self {
        edit::EditError::Argument(error.0)
    }
}

#[cfg(test)]
mod tests {
    use js_sys::{JSON, Reflect};
    use tailnet_kit::{hujson, policy};
    use wasm_bindgen::JsValue;
    use wasm_bindgen_test::wasm_bindgen_test;

    use crate::thrown::Thrown;

    /// A property of an object, as JavaScript reads it.
    #[track_caller]
    fn get(object: &JsValue, name: &str) -> JsValue {
        Reflect::get(object, &name.into()).expect("an object")
    }

    /// The result of `JSON.stringify`: maps must be plain objects, absent fields absent.
    fn json(value: &JsValue) -> serde_json::Value {
        let text = JSON::stringify(value).expect("nothing in a circle");
        serde_json::from_str(&String::from(text)).expect("JSON")
    }

    #[track_caller]
    fn syntax_error(text: &str) -> JsValue {
        let error = hujson::parse(text).expect_err("no HuJSON");
        Thrown::from(error).into()
    }

    #[wasm_bindgen_test]
    fn a_syntax_error_is_thrown_as_a_plain_object_with_its_issue() {
        let thrown = syntax_error("{\n  \"a\": 1,\n  \"é€\": tru,\n}");
        let issue = get(&thrown, "issue");
        assert_eq!(get(&thrown, "code"), "hujson_syntax");
        assert_eq!(get(&issue, "severity"), "error");
        assert_eq!(get(&issue, "line"), 3);
        // Columns count bytes, offsets UTF-16 units: the two characters before are five bytes.
        assert_eq!(get(&issue, "column"), 12);
        assert_eq!(get(&issue, "offset"), 20);
        let reason = get(&issue, "message").as_string().expect("a text");
        assert_eq!(
            get(&thrown, "message"),
            format!("hujson: line 3, column 12: {reason}")
        );
    }

    #[wasm_bindgen_test]
    fn absent_fields_are_absent_and_not_undefined() {
        let issue = get(&syntax_error("[1, 2"), "issue");
        assert_eq!(Reflect::has(&issue, &"pointer".into()), Ok(false));
    }

    #[wasm_bindgen_test]
    fn nesting_that_would_overflow_the_stack_is_an_error() {
        assert_eq!(
            get(&syntax_error(&"[".repeat(100_000)), "code"),
            "hujson_syntax"
        );
    }

    #[wasm_bindgen_test]
    fn a_refused_policy_is_thrown_with_its_check_as_plain_data() {
        let text = "{\n  // Nobody is in this group.\n  \"acls\": [{\"action\": \"accept\", \"src\": [\"group:nobody\"], \"dst\": [\"*:*\"]}],\n}";
        let check = policy::check(text, &policy::PolicyContext::default());
        assert!(!check.accepted);
        let plain = serde_json::to_value(&check).expect("plain data");
        let message = check.message.clone().expect("what the service says");
        let thrown = JsValue::from(Thrown::from(policy::Error::Refused(Box::new(check))));
        assert_eq!(get(&thrown, "code"), "policy_refused");
        assert!(
            get(&thrown, "message")
                .as_string()
                .is_some_and(|said| said.contains(&message))
        );
        assert_eq!(json(&get(&thrown, "check")), plain);
        assert_eq!(get(&get(&thrown, "check"), "message"), message);
    }
}
