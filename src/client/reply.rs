//! What JavaScript is promised of each answer: the little that is checked, and which part is handed over.
//!
//! ```
//! use tailnet_kit::api::Operation;
//! use tailnet_kit::client::reply::Reply;
//!
//! assert_eq!(Reply::of(Operation::DeleteDevice), Reply::Nothing);
//! ```
// Must not live here: the values themselves, which stay with JavaScript.

use crate::api::{DeviceFilter, Member, MemberKind, Operation, Shape, TokenRequest};

/// What the caller of a method gets.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// Nothing, whatever the body.
    Nothing,
    /// The value of a JSON body, the text of any other.
    Any,
    /// The list of the devices that the filter admits.
    Devices(DeviceFilter),
    /// The list in this member; a member that is missing or `null` is an empty list.
    List(Member),
    /// The body, which is a list; `null` is an empty one.
    Items,
    /// The object, with these members.
    Object(&'static [Member]),
    /// The object, or what was sent where the answer is empty.
    Sent {
        /// What was sent, in JSON.
        body: String,
    },
    /// The policy's text and ETag.
    AclText,
    /// The policy as an object, and its ETag.
    AclJson,
    /// The policy's text and ETag, with the service's warnings and errors.
    AclDetails,
    /// How the service judges a policy.
    Validation,
    /// The preview, with the question filled in where the service does not repeat it.
    Preview {
        /// The user, or the address and port, that was asked about.
        question: String,
    },
    /// The access token with its end, and with the scopes and tags that were asked for where the answer names none.
    Token {
        /// What was asked for.
        asked: TokenRequest,
        /// When it was asked for, in milliseconds since 1970.
        began: f64,
    },
}

/// The member with the devices in the answer to the device list.
pub const DEVICES: Member = Member {
    name: "devices",
    kind: MemberKind::List,
};
/// The one member that every device, key and user has.
pub const ID: Member = Member {
    name: "id",
    kind: MemberKind::Text,
};
/// The rules of a preview.
pub const MATCHES: Member = Member {
    name: "matches",
    kind: MemberKind::List,
};

impl Reply {
    /// The reply of an operation, with a policy as text, a preview without its question, devices without a filter.
    pub fn of(operation: Operation) -> Reply {
        match operation.shape() {
            Shape::Nothing => Reply::Nothing,
            Shape::Devices => Reply::Devices(DeviceFilter::default()),
            Shape::List(member) => Reply::List(member),
            Shape::Items => Reply::Items,
            Shape::Object(members) => Reply::Object(members),
            Shape::Sent => Reply::Sent {
                body: String::new(),
            },
            Shape::Policy => Reply::AclText,
            Shape::Validation => Reply::Validation,
            Shape::Preview => Reply::Preview {
                question: String::new(),
            },
        }
    }
}
