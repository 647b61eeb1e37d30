//! The scope of a call: tailnets, devices and other things, as paths name them.
//! Must not live here: which paths there are (`route`).
use super::error::Error;
use super::uri;

/// The segment of a template that the service also knows under an earlier name.
pub(super) const TAILNET_SEGMENT: &str = "tailnet";

/// How tailnet-scoped paths are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PathStyle {
    /// Today's form.
    #[default]
    Tailnet,
    /// The earlier form; same operations, same payloads.
    Domain,
}

impl PathStyle {
    /// Both styles.
    pub const ALL: [PathStyle; 2] = [PathStyle::Tailnet, PathStyle::Domain];

    /// The style's name, which is also the segment before the tailnet.
    pub fn segment(self) -> &'static str {
        match self {
            PathStyle::Tailnet => TAILNET_SEGMENT,
            PathStyle::Domain => "domain",
        }
    }

    pub(super) fn is_segment(segment: &str) -> bool {
        PathStyle::ALL
            .into_iter()
            .any(|style| style.segment() == segment)
    }
}

/// The tailnet, device or other thing that an operation concerns: what fills the slots of its path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    tailnet: Option<TailnetName>,
    device: Option<DeviceId>,
    item: Option<ItemId>,
}

impl Scope {
    /// This scope and another: a thing of a tailnet, or of a device.
    pub fn and(self, other: impl Into<Scope>) -> Scope {
        let other = other.into();
        Scope {
            tailnet: self.tailnet.or(other.tailnet),
            device: self.device.or(other.device),
            item: self.item.or(other.item),
        }
    }

    /// The text in a slot of a path, not encoded; empty where there is none.
    pub(super) fn fill(&self, slot: Slot) -> &str {
        let text = match slot {
            Slot::Tailnet => self.tailnet.as_ref().map(TailnetName::as_str),
            Slot::Device => self.device.as_ref().map(DeviceId::as_str),
            Slot::Item => self.item.as_ref().map(ItemId::as_str),
        };
        text.unwrap_or_default()
    }
}

fn missing(option: &'static str) -> Error {
    Error::argument(option, "is missing")
}

/// A name that is a segment of paths.
pub trait Place: Sized {
    /// The one that a scope has.
    ///
    /// # Errors
    /// [`Error::Argument`] where there is none.
    fn of(scope: &Scope) -> Result<Self, Error>;
}

/// What a variable segment of a template stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// A tailnet.
    Tailnet,
    /// A device.
    Device,
    /// Any other thing with a name or id: a key, a user, an attribute.
    Item,
}

impl Slot {
    /// The slot that a segment of a template is, if it is one.
    pub fn of(segment: &str) -> Option<Slot> {
        match segment.strip_prefix(':')? {
            "tailnet" => Some(Slot::Tailnet),
            "deviceID" | "device" => Some(Slot::Device),
            _ => Some(Slot::Item),
        }
    }

    /// The scope with this text in the slot.
    ///
    /// # Errors
    /// [`Error::Argument`] naming `option` for a text that cannot be a segment.
    pub fn filled(self, option: &'static str, text: String) -> Result<Scope, Error> {
        let word = path_word(option, text)?;
        Ok(match self {
            Slot::Tailnet => Scope::from(TailnetName(word)),
            Slot::Device => Scope::from(DeviceId(word)),
            Slot::Item => Scope::from(ItemId(word)),
        })
    }
}

/// A word that can be one path segment: not empty, and not `.` or `..`.
fn path_word(option: &'static str, text: String) -> Result<String, Error> {
    if text.is_empty() {
        return Err(Error::argument(option, "must not be empty"));
    }
    if uri::is_dot_segment(&text) {
        return Err(Error::argument(option, "must not be `.` or `..`"));
    }
    Ok(text)
}

/// Makes the names: `Name in a scope's field, by the option's name;`.
macro_rules! names {
    ($($(#[doc = $what:literal])+ $name:ident in $field:ident, $option:literal;)+) => {$(
        $(#[doc = $what])+
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(String);

        impl $name {
            /// The name as the service gives it.
            ///
            /// # Errors
            /// [`Error::Argument`] for an empty text, `.` and `..`: they would change the path.
            pub fn new(name: impl Into<String>) -> Result<Self, Error> {
                path_word($option, name.into()).map($name)
            }

            /// The name as it was given.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Place for $name {
            fn of(scope: &Scope) -> Result<Self, Error> {
                scope.$field()
            }
        }

        impl From<$name> for Scope {
            fn from(name: $name) -> Scope {
                Scope { $field: Some(name), ..Scope::default() }
            }
        }

        impl Scope {
            #[doc = concat!("The ", stringify!($field), ".")]
            ///
            /// # Errors
            /// [`Error::Argument`] where there is none.
            pub fn $field(&self) -> Result<$name, Error> {
                self.$field.clone().ok_or_else(|| missing($option))
            }
        }
    )+};
}

names! {
    /// The identifier of a device, unique over all tailnets.
    DeviceId in device, "id";
    /// The name of a tailnet: a domain, the full e-mail address of a solo account, or `-` for the tailnet of the key.
    TailnetName in tailnet, "tailnet";
    /// The identifier of a key, user, attribute, webhook, service or other thing without a type of its own here.
    ItemId in item, "id";
}
