//! The calls of `HeadscaleClient`. Must not live here: anything but calls, and answers as JavaScript gets them.

use js_sys::{Array, Function, Object, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::future_to_promise;

use crate::body::{object, value};
use crate::settings::Settings;
use crate::thrown::Thrown;
use crate::{call_error, reply};
use tailnet_kit::api::headscale::{Answer, Release, Shape, context, is_no_time};
use tailnet_kit::api::{Error, Response};
use tailnet_kit::client::fetch::bindings::{get, put};
use tailnet_kit::client::fetch::{Fetch, Fetched, place};
use tailnet_kit::client::headscale::{Call, Gives, PolicyText, PolicyUpdate, Version};
use tailnet_kit::client::{Client, Options, Service};

/// The options of a client from their JSON text. Throws `invalid_argument` for those that no client can have.
#[wasm_bindgen]
pub fn headscale_settings(options: &str) -> Result<Settings, Thrown> {
    let mut options = Options::read(options, &place())?;
    options.service = Service::HEADSCALE;
    Ok(Settings(options))
}

/// Makes a call: a method's name, the JSON text of its arguments, and what of the options is no data (`host`). Gives `{ data, response }`.
#[wasm_bindgen]
pub fn headscale_call(
    settings: &Settings,
    method: &str,
    args: &str,
    host: JsValue,
) -> Result<Promise, Thrown> {
    let call = Call::read(method, args, &settings.0)?;
    Ok(promised(call, client(settings, &host), host))
}

/// Reads, edits, checks and writes the policy. Gives `{ data, response }` of the write.
#[wasm_bindgen]
pub fn headscale_update(
    settings: &Settings,
    args: &str,
    host: JsValue,
    edit: Function,
) -> Result<Promise, Thrown> {
    let (update, client) = (PolicyUpdate::read(args)?, client(settings, &host));
    Ok(reply::promised(updated(update, client, host, edit)))
}

async fn updated(
    update: PolicyUpdate,
    client: Client<Fetch>,
    host: JsValue,
    edit: Function,
) -> Result<JsValue, Thrown> {
    let edit = async |text| reply::edited(&host, &edit, text, update.check).await;
    let mut release = known(&host);
    let updated = update.run(&client, &mut release, edit).await;
    written(updated?, release, &host)
}

/// Which release answers: `{ version, api }`. The arguments have the options of the call alone.
#[wasm_bindgen]
pub fn headscale_version(
    settings: &Settings,
    args: &str,
    host: JsValue,
) -> Result<Promise, Thrown> {
    let (call, client) = (Version::read_options(args)?, client(settings, &host));
    let asked = async move { Ok(version(&client.headscale_version(&call).await?, &host)) };
    Ok(reply::promised(asked))
}

/// The JSON of a context of what is known of users and nodes, from that of `{users, nodes}`. Throws `invalid_argument`.
#[wasm_bindgen]
pub fn headscale_context(listed: &str) -> Result<String, Thrown> {
    Ok(context(listed)?)
}

fn client(settings: &Settings, host: &JsValue) -> Client<Fetch> {
    let transport = Fetch::new(host.clone(), call_error::describe);
    Client::new(transport, settings.0.clone())
}

/// A call under way.
fn promised(call: Call, client: Client<Fetch>, host: JsValue) -> Promise {
    future_to_promise(async move {
        let mut release = known(&host);
        let replied = call.run(&client, &mut release, data).await;
        learn(&host, release);
        let (data, response) = replied.map_err(|error| call_error::describe(&error))?;
        Ok(reply::outcome(data, &response))
    })
}

/// The release of the server, if an earlier call has found it out.
fn known(host: &JsValue) -> Option<Release> {
    Release::parse(&get(&get(host, "memory"), "release").as_string()?)
}

/// The policy that was written, and the answer to that.
fn written(
    (text, response): (PolicyText, Response<Fetched>),
    release: Option<Release>,
    host: &JsValue,
) -> Result<JsValue, Thrown> {
    learn(host, release);
    Ok(reply::outcome(policy(&text), &response))
}

fn learn(host: &JsValue, release: Option<Release>) {
    if let Some(release) = release {
        put(&get(host, "memory"), "release", release.as_str());
    }
}

fn version(version: &Version, host: &JsValue) -> JsValue {
    learn(host, Some(version.api));
    let said = version.version.as_deref();
    let object = Object::new();
    put(
        &object,
        "version",
        said.map_or(JsValue::NULL, JsValue::from),
    );
    put(&object, "api", version.api.as_str());
    object.into()
}

fn policy(policy: &PolicyText) -> JsValue {
    let time = policy.updated_at.as_deref();
    let object = Object::new();
    put(&object, "text", policy.text.as_str());
    put(
        &object,
        "updatedAt",
        time.map_or(JsValue::NULL, JsValue::from),
    );
    object.into()
}

/// The data of a success, or where it is not what was promised.
fn data(gives: &Gives, response: &Response<Fetched>) -> Result<JsValue, Error> {
    match gives {
        Gives::Any => reply::any(response),
        Gives::Answer(Answer::Nothing) => Ok(JsValue::UNDEFINED),
        Gives::Answer(Answer::Policy) => Ok(policy(&PolicyText::read(response)?)),
        Gives::Answer(Answer::Object) => object(response),
        Gives::Answer(Answer::Text(name)) => text(&object(response)?, name, name),
        Gives::Answer(Answer::One(name, shape)) => {
            thing(get(&object(response)?, name), shape, name)
        }
        Gives::Answer(Answer::Many(name, shape)) => things(value(response)?, shape, name),
    }
}

/// The list, each entry of which has its shape. Services leave it out where it is empty.
fn things(body: JsValue, shape: &Shape, name: &str) -> Result<JsValue, Error> {
    let list = match body.is_object() {
        true => get(&body, name),
        false => JsValue::NULL,
    };
    if list.is_undefined() || list.is_null() {
        return Ok(Array::new().into());
    }
    if !Array::is_array(&list) {
        return Err(Error::malformed(name.to_owned(), "is not a list"));
    }
    for (index, entry) in Array::from(&list).iter().enumerate() {
        thing(entry, shape, &format!("{name}[{index}]"))?;
    }
    Ok(list)
}

/// A thing in the form of all releases: texts are there, lists are lists, and a time that means none is null.
fn thing(thing: JsValue, shape: &Shape, at: &str) -> Result<JsValue, Error> {
    if !thing.is_object() || Array::is_array(&thing) {
        return Err(Error::malformed(at.to_owned(), "is not an object"));
    }
    for name in shape.texts {
        text(&thing, name, &format!("{at}.{name}"))?;
    }
    for name in shape.lists {
        let list = get(&thing, name);
        if list.is_undefined() || list.is_null() {
            put(&thing, name, Array::new());
        } else if !Array::is_array(&list) {
            return Err(Error::malformed(format!("{at}.{name}"), "is not a list"));
        }
    }
    for name in shape.times {
        let time = get(&thing, name).as_string();
        if time.is_none_or(|time| is_no_time(&time)) {
            put(&thing, name, JsValue::NULL);
        }
    }
    Ok(thing)
}

fn text(object: &JsValue, name: &str, at: &str) -> Result<JsValue, Error> {
    let text = get(object, name);
    match text.is_string() {
        true => Ok(text),
        false => Err(Error::malformed(at.to_owned(), "is not a string")),
    }
}
