//! Prefixes, addresses and sets of them, as text and as intervals. Must not live here: rules, routes of a device, HTTP.
