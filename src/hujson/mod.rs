//! HuJSON: JSON with comments and trailing commas. Must not live here: anything that knows what a policy is.
