//! What JavaScript calls: stateless exports, five lines at most each. Must not live here: decisions.
