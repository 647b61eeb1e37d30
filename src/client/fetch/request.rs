//! Requests and header fields as objects of JavaScript, and header fields back from there. Must not live here: sending.
use gloo_net::http::{Headers as GlooHeaders, Method as GlooMethod, RequestBuilder};
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{RequestInit, RequestRedirect};

use super::cause::{Fault, connection};
use super::watch::Watch;
use crate::api::{Headers, Method, Request, headers};

fn write_headers(request: &Request) -> Result<web_sys::Headers, Fault> {
    let headers = web_sys::Headers::new().map_err(connection)?;
    for (name, value) in request.headers.iter() {
        headers.set(name, value).map_err(connection)?;
    }
    Ok(headers)
}

/// The header fields of a response, from a `Headers`, a `Map`, a plain object, or nothing.
pub(super) fn read_headers(given: &JsValue) -> Headers {
    let mut headers = Headers::new();
    let pairs = match js_sys::try_iter(given) {
        Ok(Some(pairs)) => Array::from_iter(pairs.flatten()),
        _ if given.is_object() => Object::entries(given.unchecked_ref()),
        _ => Array::new(),
    };
    for pair in pairs.iter() {
        let word = |index: u32| Reflect::get_u32(&pair, index).ok()?.as_string();
        if let (Some(name), Some(value)) = (word(0), word(1)) {
            headers.append(&name, value);
        }
    }
    headers
}

/// Whether `fetch` must return redirects and not follow them: if the request has a secret.
fn keeps_redirects(request: &Request) -> bool {
    request
        .headers
        .iter()
        .any(|(name, _)| headers::is_secret(name))
}

fn text_body(request: &Request) -> JsValue {
    str::from_utf8(&request.body).unwrap_or_default().into()
}

/// The options of `fetch`, only those that every runtime accepts: no `cache`, no `integrity`, no `redirect: "error"`.
pub(super) fn init(request: &Request, watch: &Watch) -> Result<RequestInit, Fault> {
    let init = RequestInit::new();
    init.set_method(request.method.as_str());
    let headers = write_headers(request)?;
    init.set_headers(&headers);
    init.set_signal(watch.signal().as_ref());
    if !request.body.is_empty() {
        init.set_body(&text_body(request));
    }
    if keeps_redirects(request) {
        init.set_redirect(RequestRedirect::Manual);
    }
    Ok(init)
}

/// By its constants: parsing a name would add the code for all other names.
fn method(method: Method) -> GlooMethod {
    match method {
        Method::Get => GlooMethod::GET,
        Method::Head => GlooMethod::HEAD,
        Method::Post => GlooMethod::POST,
        Method::Put => GlooMethod::PUT,
        Method::Patch => GlooMethod::PATCH,
        Method::Delete => GlooMethod::DELETE,
        Method::Options => GlooMethod::OPTIONS,
    }
}

/// The request as a `Request`, for hooks.
pub(super) fn build(request: &Request, watch: &Watch) -> Result<JsValue, Fault> {
    let mut builder = RequestBuilder::new(&request.target)
        .method(method(request.method))
        .headers(GlooHeaders::from_raw(write_headers(request)?))
        .abort_signal(watch.signal().as_ref());
    if keeps_redirects(request) {
        builder = builder.redirect(RequestRedirect::Manual);
    }
    let built = if request.body.is_empty() {
        builder.build()
    } else {
        builder.body(text_body(request))
    };
    let refused =
        |error: gloo_net::Error| connection(js_sys::Error::new(&error.to_string()).into());
    built
        .map(|request| web_sys::Request::from(request).into())
        .map_err(refused)
}
