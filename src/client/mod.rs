//! The client: credentials, attempts, one method a call. Must not live here: paths, headers, retry rules (`api`).
