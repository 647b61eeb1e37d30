//! What answers of Headscale carry: the members that differ between releases, for values that stay with JavaScript.
//! Must not live here: typed values (`things`), which operation gives what (`operation`).

/// What a success carries.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Answer {
    /// Nothing of interest.
    Nothing,
    /// A thing in this member.
    One(&'static str, &'static Shape),
    /// A list of things in this member.
    Many(&'static str, &'static Shape),
    /// A text in this member.
    Text(&'static str),
    /// A policy with its time.
    Policy,
    /// The object as it comes.
    Object,
}

/// The members of a thing that are checked or made alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The texts that must be there.
    pub texts: &'static [&'static str],
    /// The lists; missing or null means empty.
    pub lists: &'static [&'static str],
    /// The times; one of the year 1 means none, as null does.
    pub times: &'static [&'static str],
}

/// A user.
pub const USER: Shape = Shape {
    texts: &["id", "name"],
    lists: &[],
    times: &["createdAt"],
};

/// A machine.
pub const NODE: Shape = Shape {
    texts: &["id", "name"],
    lists: &[
        "ipAddresses",
        "approvedRoutes",
        "availableRoutes",
        "subnetRoutes",
        "tags",
    ],
    times: &["lastSeen", "expiry", "createdAt"],
};

/// A key with which machines sign in.
pub const PRE_AUTH_KEY: Shape = Shape {
    texts: &["id", "key"],
    lists: &["aclTags"],
    times: &["expiration", "createdAt"],
};

/// A key of the API.
pub const API_KEY: Shape = Shape {
    texts: &["id", "prefix"],
    lists: &[],
    times: &["expiration", "createdAt", "lastSeen"],
};

/// Whether a time stands for none: Go's zero.
pub fn is_no_time(time: &str) -> bool {
    time.starts_with("0001-01-01T")
}
