//! Rules that another rule makes superfluous.
//! Must not live here: refusals.
