//! What a row of the table of operations says of the two bodies: which members are checked, and what the caller gets.
//! Must not live here: bodies themselves, reading and writing.

/// A member of a body, or a parameter of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: MemberKind,
}

/// The type of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberKind {
    /// A string.
    Text,
    /// True or false.
    Flag,
    /// A list; `null` is read as an empty one.
    List,
    /// A list of strings; `null` is read as an empty one.
    Texts,
    /// An object.
    Object,
    /// A string, a number, true or false.
    Scalar,
    /// Anything, also nothing: it is not checked before it is sent.
    Any,
}

impl MemberKind {
    /// The type in words that can follow "must be" or "is not".
    pub fn expected(self) -> &'static str {
        match self {
            MemberKind::Text => "a string",
            MemberKind::Flag => "true or false",
            MemberKind::List => "a list",
            MemberKind::Texts => "a list of strings",
            MemberKind::Object => "an object",
            MemberKind::Scalar => "a string, a number, true or false",
            MemberKind::Any => "anything",
        }
    }
}

/// A member of this name and type.
pub const fn member(name: &'static str, kind: MemberKind) -> Member {
    Member { name, kind }
}

/// What a request carries beside its path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Nothing.
    Nothing,
    /// Parameters of a query; those of type text must be there.
    Query(&'static [Member]),
    /// A JSON object with these members.
    Object(&'static [Member]),
    /// A JSON list of objects.
    List,
    /// These of the fields and the filter of devices.
    Devices(&'static [Member]),
    /// A policy, or a question about one.
    Policy,
}

/// What is checked of a success, and which part of it the caller gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Nothing, whatever the body.
    Nothing,
    /// The devices that were asked for.
    Devices,
    /// The list in this member; one that is missing or `null` is an empty list.
    List(Member),
    /// The body, which is a list; `null` is an empty one.
    Items,
    /// The object, which has these members.
    Object(&'static [Member]),
    /// The object, or what was sent where the answer is empty.
    Sent,
    /// A policy, in the format that was asked for.
    Policy,
    /// How the service judges a policy.
    Validation,
    /// The rules of a policy that concern somebody.
    Preview,
}

/// The list in the answer to a question for several things.
pub const fn list(name: &'static str) -> Shape {
    Shape::List(member(name, MemberKind::List))
}
