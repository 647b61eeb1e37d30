//! Where the program runs. Must not live here: what that forbids (`client::settings`).
use super::object::get;
use crate::client::Place;

/// The page's address, where there is one, and whether this is a browser.
pub fn place() -> Place {
    Place {
        page: get(&get(&js_sys::global(), "location"), "href").as_string(),
        is_browser: is_browser(),
    }
}

/// Among runtimes without a document, only the workers of browsers have `importScripts`.
pub(super) fn is_browser() -> bool {
    let global = js_sys::global();
    let page = get(&global, "document").is_object() && get(&global, "window").is_object();
    let worker = get(&global, "importScripts").is_function()
        && get(&global, "WorkerGlobalScope").is_function();
    page || worker
}
