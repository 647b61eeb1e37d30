//! Which release of Headscale answers, as far as its API differs. Must not live here: what differs.

use std::fmt;

/// A release of Headscale; each stands for its patches too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Release {
    /// 0.28: errors in the JSON of gRPC, no `policy.check`, no `auth`, another language of policies.
    V28,
    /// 0.29: the same errors, with `policy.check` and `auth`.
    V29,
    /// 0.30: errors as `application/problem+json`, statuses that say what is wrong, and `/api/v2`.
    V30,
}

impl Release {
    /// All releases that are known, the oldest first.
    pub const ALL: [Release; 3] = [Release::V28, Release::V29, Release::V30];

    /// The release in digits: `0.29`.
    pub fn as_str(self) -> &'static str {
        match self {
            Release::V28 => "0.28",
            Release::V29 => "0.29",
            Release::V30 => "0.30",
        }
    }

    /// The release of these digits.
    pub fn parse(text: &str) -> Option<Release> {
        Release::ALL
            .into_iter()
            .find(|release| release.as_str() == text)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where 0.30 says what it serves. Older releases have no such path.
pub const OPENAPI_PATH: &str = "/api/v1/openapi.yaml";

/// Where 0.28 and 0.29 say what they serve.
pub const SWAGGER_PATH: &str = "/swagger/v1/openapiv2.json";

/// The path by which the swagger of 0.29 differs from that of 0.28.
pub const CHECK_PATH: &str = "/api/v1/policy/check";
