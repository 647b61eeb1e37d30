//! The service on the wire: routes, calls, headers, errors, retry rules. Must not live here: I/O, a clock.
