//! JSON Patch on texts: appendix A of RFC 6902 by number, layout and comments, and its laws.
//!
//! Must not live here: the canonical layout (`format`).

mod adding;
mod appendix_a;
mod edit;
mod laws;
mod model;
mod moving;
mod refusing;
mod removing;
mod replacing;
mod returns;
mod testing;

use tailnet_kit::hujson::{PatchError, parse, patch};

#[track_caller]
fn patched(text: &str, operations: &str) -> String {
    match patch(text, operations) {
        Ok(out) => {
            assert!(parse(&out).is_ok(), "no HuJSON: {out}");
            out
        }
        Err(error) => panic!("{error}"),
    }
}

/// The patch gives this text.
#[track_caller]
fn gives(text: &str, operations: &str, want: &str) {
    assert_eq!(patched(text, operations), want);
}

/// The patch is refused with this message.
#[track_caller]
fn refused(text: &str, operations: &str, message: &str) -> PatchError {
    let error = patch(text, operations).expect_err("the patch is refused");
    assert_eq!(error.to_string(), message);
    error
}
