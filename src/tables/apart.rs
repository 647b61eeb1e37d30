//! A function that a wasm file may lack: its file is cut without it, and a file that is added at run time brings it (docs/cutting.md).
//! Must not live here: such functions; each stands where it belongs, in a static whose name begins with `HEADSCALE_`, by which it is cut.

use std::hint::black_box;

/// The place of such a function. In any other build than the wasm files of the package it is always there.
pub(crate) struct Apart<F>(Option<F>);

impl<F: Copy> Apart<F> {
    pub(crate) const fn new(function: F) -> Self {
        Self(Some(function))
    }

    /// The function, if it is there. The compiler must not see which it is: it would call it itself, and whoever calls would hold it.
    pub(crate) fn get(&self) -> Option<F> {
        black_box(self).0
    }
}
