//! The arguments of the methods in JavaScript, checked and made into requests before anything is sent. Must not live here: paths (`api::headscale`),
//! what replies look like.

use crate::api::given::Object;
use crate::api::headscale::{Operation, Release, place};
use crate::api::{Error, Form, MemberKind, Request, headers, uri};
use crate::client::arguments::{check, check_route};
use crate::hujson::{Kind, quote};

/// The request of an operation, and the first release that takes it.
pub(super) fn request(
    operation: Operation,
    given: Object<'_>,
) -> Result<(Request, Release), Error> {
    let row = operation.row();
    let mut places = Vec::new();
    for name in operation.places() {
        let text = given.required_text(name)?;
        let text = match operation {
            Operation::DeleteApiKey => bare(text),
            _ => text,
        };
        places.push(place(name, text)?);
    }
    let mut request = Request::new(row.method, operation.path(&places));
    request.headers.set(headers::ACCEPT, headers::JSON);
    query(row.sends, given, &mut request.target)?;
    if operation == Operation::ExpireNode {
        return expiry(request, given);
    }
    let Form::Object(members) = row.sends else {
        return Ok((request, row.since));
    };
    let body = given.object("body")?.unwrap_or(Object::empty());
    for member in members {
        check(body, member)?;
    }
    if operation == Operation::SetApprovedRoutes {
        for (index, route) in body.texts("routes")?.iter().enumerate() {
            check_route(index, route)?;
        }
    }
    let text = match operation {
        Operation::ExpireApiKey => member_alone("prefix", bare(body.required_text("prefix")?)),
        _ => body.text_of().to_owned(),
    };
    Ok((request.with_json_text(text), row.since))
}

/// The prefix of a key of the API, which lists show as `hskey-api-PREFIX-***` or `PREFIX***`.
fn bare(shown: &str) -> &str {
    let whole = shown.strip_prefix("hskey-api-");
    let whole = whole.and_then(|rest| rest.strip_suffix("-***"));
    whole.or_else(|| shown.strip_suffix("***")).unwrap_or(shown)
}

/// An object with one text.
fn member_alone(name: &str, text: &str) -> String {
    let mut object = "{".to_owned();
    quote(name, &mut object);
    object.push(':');
    quote(text, &mut object);
    object.push('}');
    object
}

fn query(sends: Form, given: Object<'_>, target: &mut String) -> Result<(), Error> {
    let query = given.object("query")?.unwrap_or(Object::empty());
    if let Form::Query(members) = sends {
        let needed = members
            .iter()
            .filter(|member| member.kind == MemberKind::Text);
        for member in needed {
            query.required_text(member.name)?;
        }
    }
    for (name, value) in query
        .members()
        .filter(|(_, value)| value.kind() != Kind::Null)
    {
        let wrong = || Error::argument(name.to_owned(), "must be a string");
        uri::push_query(target, name, value.as_str().ok_or_else(wrong)?);
    }
    Ok(())
}

/// `at` is a time; `null` for never, which 0.28 does not know; nothing for now.
fn expiry(request: Request, given: Object<'_>) -> Result<(Request, Release), Error> {
    let Some(at) = given.get("at") else {
        return Ok((request, Release::V28));
    };
    if at.kind() == Kind::Null {
        let never = r#"{"disableExpiry":true}"#.to_owned();
        return Ok((request.with_json_text(never), Release::V29));
    }
    let wrong = || Error::argument("at", "must be a time, or null for never");
    let body = member_alone("expiry", at.as_str().ok_or_else(wrong)?);
    Ok((request.with_json_text(body), Release::V28))
}
