//! Answers as JavaScript gets them: native values, of which only what the declarations promise is looked at.
//! Must not live here: which operation promises what (`client::reply`), reading bodies (`client::fetch`).

use js_sys::{Array, Function, JsString, Object, Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, future_to_promise};

use crate::body::{object, value};
use crate::thrown::Thrown;
use crate::{call_error, verdicts};
use tailnet_kit::api::{
    AclDocument, Body, DeviceFilter, ETag, Error, FilterKind, Response, Signatures, headers,
};
use tailnet_kit::api::{Member, MemberKind};
use tailnet_kit::client::fetch::Fetched;
use tailnet_kit::client::fetch::bindings::{get, json_or_text, put, until_aborted};
use tailnet_kit::client::reply::{DEVICES, ID, MATCHES, Reply};
use tailnet_kit::client::token::StoredToken;
use tailnet_kit::hujson;

/// What a method's promise and its `withResponse` need.
pub(crate) fn outcome(data: JsValue, response: &Response<Fetched>) -> JsValue {
    let outcome = Object::new();
    put(&outcome, "data", data);
    put(&outcome, "response", &response.body.response);
    outcome.into()
}

/// The data of a success, or where it is not what was promised.
pub(crate) fn data(
    reply: &Reply,
    response: &Response<Fetched>,
    host: &JsValue,
) -> Result<JsValue, Error> {
    match reply {
        Reply::Nothing => Ok(JsValue::UNDEFINED),
        Reply::Any => any(response),
        Reply::Devices(filter) => devices(&object(response)?, filter, host),
        Reply::List(wanted) => list(value(response)?, wanted),
        Reply::Items => items(value(response)?),
        Reply::Object(members) => {
            let body = object(response)?;
            members
                .iter()
                .try_for_each(|wanted| member(&body, wanted).map(drop))?;
            Ok(body)
        }
        Reply::Sent { body } => match is_empty(&response.body.json_or_text()) {
            true => Ok(json_or_text(&JsString::from(body.as_str()))),
            false => object(response),
        },
        Reply::AclText => {
            let text = response.body.string();
            let text = text.ok_or_else(|| Error::malformed("", "is not UTF-8"))?;
            let etag = ETag::read(&response.headers);
            Ok(acl("hujson", "text", &text, etag.as_ref()))
        }
        Reply::AclJson => Ok(acl(
            "json",
            "policy",
            &policy_object(response)?,
            ETag::read(&response.headers).as_ref(),
        )),
        Reply::AclDetails => verdicts::details(response),
        Reply::Validation => verdicts::validation(response),
        Reply::Preview { question } => preview(object(response)?, question),
        Reply::Token { asked, began } => {
            let token = StoredToken::read(&response.body.text_lossy(), asked, *began)?;
            Ok(self::token(&token))
        }
    }
}

/// Nothing, `null` or `{}`, each of which services send for an empty result.
fn is_empty(body: &JsValue) -> bool {
    let is_object = body.is_object() && !Array::is_array(body);
    body.is_null() || (is_object && Object::keys(body.unchecked_ref::<Object>()).length() == 0)
}

/// JSON where it is labelled so, or unlabelled and readable; any other text as it is.
pub(crate) fn any(response: &Response<Fetched>) -> Result<JsValue, Error> {
    match response.headers.get(headers::CONTENT_TYPE) {
        Some(label) if headers::is_json(label) => value(response),
        Some(_) => Ok(response.body.text_or_nothing()),
        None => {
            let parsed = response.body.json();
            Ok(parsed.unwrap_or_else(|_| response.body.text_or_nothing()))
        }
    }
}

/// A body that is a list; `null` is an empty one.
fn items(body: JsValue) -> Result<JsValue, Error> {
    if body.is_null() {
        return Ok(Array::new().into());
    }
    match Array::is_array(&body) {
        true => Ok(body),
        false => Err(Error::malformed("", "is not a list")),
    }
}

/// A member that was promised. A list that is `null` becomes an empty one.
fn member(body: &JsValue, wanted: &Member) -> Result<JsValue, Error> {
    let found = get(body, wanted.name);
    let expected = match wanted.kind {
        MemberKind::Text if found.is_string() => return Ok(found),
        MemberKind::Flag if found.as_bool().is_some() => return Ok(found),
        MemberKind::List if Array::is_array(&found) => return Ok(found),
        MemberKind::Texts if is_texts(&found) => return Ok(found),
        MemberKind::Object if found.is_object() && !Array::is_array(&found) => return Ok(found),
        MemberKind::List | MemberKind::Texts if found.is_null() => {
            put(body, wanted.name, Array::new());
            return Ok(get(body, wanted.name));
        }
        kind => kind.expected(),
    };
    Err(Error::malformed(wanted.name, format!("is not {expected}")))
}

fn is_texts(list: &JsValue) -> bool {
    Array::is_array(list)
        && list
            .unchecked_ref::<Array>()
            .iter()
            .all(|entry| entry.is_string())
}

/// The list of a body that has nothing else. Services leave it out, or the whole body, where it is empty.
fn list(body: JsValue, wanted: &Member) -> Result<JsValue, Error> {
    if body.is_null() || body.is_undefined() || get(&body, wanted.name).is_undefined() {
        return Ok(Array::new().into());
    }
    member(&body, wanted)
}

/// A policy in its parsed form. Some services send the text as it is stored under the label of JSON.
fn policy_object(response: &Response<Fetched>) -> Result<JsValue, Error> {
    let strict = object(response);
    let text = response.body.string().map(String::from);
    match (strict, text) {
        (Err(refused), Some(text)) => {
            let document = hujson::document(&text);
            let plain = document.map(|document| hujson::minimal(document.root()));
            let parsed = plain.map(|plain| json_or_text(&JsString::from(plain)));
            parsed.filter(JsValue::is_object).ok_or(refused)
        }
        (strict, _) => strict,
    }
}

/// The list, each entry of which has its identifier. The host object's `without` looks for the first that has not: ten
/// thousand steps from here to JavaScript and back would take half as long as parsing the body.
fn devices(body: &JsValue, filter: &DeviceFilter, host: &JsValue) -> Result<JsValue, Error> {
    let list = member(body, &DEVICES)?;
    let without: Function = get(host, "without").unchecked_into();
    let found = without.call2(&JsValue::UNDEFINED, &list, &ID.name.into());
    match found.ok().and_then(|index| index.as_f64()) {
        Some(index) if index >= 0.0 => {
            let at = format!("{}[{}].{}", DEVICES.name, index as u32, ID.name);
            Err(Error::malformed(at, "is not a string"))
        }
        _ if filter.is_empty() => Ok(list),
        _ => Ok(admitted(list.unchecked_ref(), filter).into()),
    }
}

fn admitted(devices: &Array, filter: &DeviceFilter) -> Array {
    let admitted = Array::new();
    for device in devices.iter().filter(|device| admits(filter, device)) {
        admitted.push(&device);
    }
    admitted
}

/// Whether a device is one of those that were asked for: a service that knows no filters sends all.
fn admits(filter: &DeviceFilter, device: &JsValue) -> bool {
    filter.conditions().all(|(name, kind, wanted)| {
        let found = get(device, name);
        match kind {
            FilterKind::Flag => found.is_truthy() == (wanted == "true"),
            FilterKind::Text => found == *wanted,
            FilterKind::List => {
                Array::is_array(&found)
                    && found.unchecked_ref::<Array>().includes(&wanted.into(), 0)
            }
        }
    })
}

fn preview(body: JsValue, question: &str) -> Result<JsValue, Error> {
    let matches = member(&body, &MATCHES)?;
    for found in matches.unchecked_ref::<Array>().iter() {
        if !found.is_object() {
            return Err(Error::malformed(MATCHES.name, "is not a list of objects"));
        }
        if get(&found, "lineNumber").is_undefined() {
            put(&found, "lineNumber", JsValue::NULL);
        }
        for list in ["users", "ports"] {
            if !get(&found, list).is_truthy() {
                put(&found, list, Array::new());
            }
        }
    }
    if !get(&body, "user").is_string() {
        put(&body, "user", question);
    }
    Ok(body)
}

fn acl(format: &str, name: &str, value: &JsValue, etag: Option<&ETag>) -> JsValue {
    let document = Object::new();
    put(&document, "format", format);
    put(&document, name, value);
    let etag = etag.map_or(JsValue::NULL, |etag| etag.as_str().into());
    put(&document, "etag", etag);
    document.into()
}

/// A policy that Rust holds, as `acl.get` would give it.
pub(crate) fn document(document: &AclDocument) -> JsValue {
    let text = document.text.as_str().into();
    acl("hujson", "text", &text, document.etag.as_ref())
}

/// An access token as a store keeps it.
fn token(token: &StoredToken) -> JsValue {
    let object = Object::new();
    put(&object, "accessToken", token.access_token.reveal());
    put(&object, "expiresAt", token.expires_at);
    for (name, words) in [("scopes", &token.scopes), ("tags", &token.tags)] {
        let list = Array::new();
        for word in words {
            list.push(&word.as_str().into());
        }
        put(&object, name, list);
    }
    object.into()
}

/// The signatures of a delivery, as bytes.
pub(crate) fn signatures(signatures: &Signatures) -> JsValue {
    let (object, values) = (Object::new(), Array::new());
    put(&object, "time", signatures.time.as_str());
    for value in &signatures.values {
        values.push(&Uint8Array::from(value.as_slice()));
    }
    put(&object, "values", values);
    object.into()
}

/// What goes on after a call has returned.
pub(crate) fn promised(work: impl Future<Output = Result<JsValue, Thrown>> + 'static) -> Promise {
    future_to_promise(async move { Ok(work.await?) })
}

/// What the caller's function makes of a policy's text; with `check`, only what the judge of the host object lets pass, which
/// throws otherwise: the policy engine lies in another file.
pub(crate) async fn edited(
    host: &JsValue,
    edit: &Function,
    text: String,
    check: bool,
) -> Result<String, Thrown> {
    let text = asked(host, edit, text).await?.as_string();
    let text = text.ok_or_else(|| Error::argument("edit", "must give the new text"))?;
    if check {
        let judge: Function = get(host, "judge").unchecked_into();
        asked(host, &judge, text.clone()).await?;
    }
    Ok(text)
}

/// What a function of the host gives, or promises, for a text.
async fn asked(host: &JsValue, function: &Function, text: String) -> Result<JsValue, Thrown> {
    let returned = function.call1(&JsValue::UNDEFINED, &text.into())?;
    let promised = JsFuture::from(Promise::resolve(&returned));
    let given = until_aborted(host, promised).await;
    Ok(given.map_err(call_error::aborted)??)
}
