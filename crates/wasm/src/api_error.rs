//! What is wrong with options and arguments of calls as what is thrown, for the client and the gateway.
//! Must not live here: errors of calls that were made (`call_error`).

use js_sys::Object;

use crate::thrown::Thrown;
use tailnet_kit::Code;
use tailnet_kit::api::Error;
use tailnet_kit::client::fetch::bindings::put;

impl From<Error> for Thrown {
    #[inline(never)]
    fn from(error: Error) -> Self {
        Thrown(thrown(error.code(), error.to_string()).into())
    }
}

/// What every thrown object has.
pub(crate) fn thrown(code: Code, message: String) -> Object {
    let object = Object::new();
    put(&object, "code", code.as_str());
    put(&object, "message", message);
    object
}
