//! What JavaScript is promised of each answer: the little that is checked, and which part is handed over.
//! Must not live here: the values themselves, which stay with JavaScript.
use crate::api::Operation;

/// What the caller of a method gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Nothing, whatever the body.
    Nothing,
    /// The value of a JSON body, the text of any other.
    Any,
    /// The list of devices.
    Devices,
    /// The object, with these members.
    Object(&'static [Member]),
    /// The policy's text and ETag.
    AclText,
    /// The policy as an object, and its ETag.
    AclJson,
    /// The preview, with the question where the service does not repeat it.
    Preview {
        /// The question.
        question: String,
    },
}

/// A member that must be there.
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
}

const fn member(name: &'static str, kind: MemberKind) -> Member {
    Member { name, kind }
}

/// The member of the device list's answer that is handed over.
pub const DEVICES: Member = member("devices", MemberKind::List);
/// The one member that every device has.
pub const DEVICE_ID: Member = member("id", MemberKind::Text);
/// The rules of a preview.
pub const MATCHES: Member = member("matches", MemberKind::List);

const DEVICE: &[Member] = &[DEVICE_ID];
const ROUTES: &[Member] = &[
    member("advertisedRoutes", MemberKind::Texts),
    member("enabledRoutes", MemberKind::Texts),
];
const DNS: Member = member("dns", MemberKind::Texts);
const MAGIC_DNS: Member = member("magicDNS", MemberKind::Flag);
const SEARCH_PATHS: &[Member] = &[member("searchPaths", MemberKind::Texts)];

impl Reply {
    /// The reply of an operation, with a policy as text and a preview without its question.
    pub fn of(operation: Operation) -> Reply {
        match operation {
            Operation::ListDevices => Reply::Devices,
            Operation::GetDevice => Reply::Object(DEVICE),
            Operation::DeleteDevice => Reply::Nothing,
            Operation::GetDeviceRoutes | Operation::SetDeviceRoutes => Reply::Object(ROUTES),
            Operation::GetAcl | Operation::SetAcl => Reply::AclText,
            Operation::PreviewAcl => Reply::Preview {
                question: String::new(),
            },
            Operation::GetNameservers => Reply::Object(&[DNS]),
            Operation::SetNameservers => Reply::Object(&[DNS, MAGIC_DNS]),
            Operation::GetPreferences | Operation::SetPreferences => Reply::Object(&[MAGIC_DNS]),
            Operation::GetSearchPaths | Operation::SetSearchPaths => Reply::Object(SEARCH_PATHS),
            Operation::ValidateAcl
            | Operation::AuthorizeDevice
            | Operation::SetDeviceTags
            | Operation::SetDeviceKey
            | Operation::SetDeviceName
            | Operation::SetDeviceIp => Reply::Any,
        }
    }
}
