//! The words of a row of the table of operations: name, path, effect, which right it needs, how it is logged, its documentation.
//! Must not live here: the rows, who has a right, what is written down (`sandbox`).
use super::retry::Effect;
use super::route::Route;

/// What is looked up of a row together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The name in JavaScript: the client's namespace and verb, `devices.list`.
    pub name: &'static str,
    /// Method and path.
    pub route: Route,
    /// The effect of the operation.
    pub effect: Effect,
}

/// What people read of an operation: of this the declarations, pages and examples are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// What it does and promises.
    pub docs: &'static str,
    /// The codes of errors that are its own, in words; empty where there are none.
    pub refuses: &'static str,
    /// The name and the Rust type of what is sent; empty for nothing.
    pub sends: (&'static str, &'static str),
    /// The Rust type of what a success carries.
    pub gives: &'static str,
    /// The method's types in TypeScript, `(argument: Type): Answer`; none where they are those of the row.
    pub typed: &'static [&'static str],
    /// How JavaScript calls it, where an example of it is shown.
    pub example: &'static str,
    /// The namespaces that it is the first operation of, and what each is.
    pub heads: &'static [(&'static str, &'static str)],
}

/// The right that an operation needs (docs/service.md#scopes).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Right {
    /// The scope of this name; a read needs only its `:read`.
    Area(&'static str),
    /// The scope of this name in a token of a user: one of a client will not do for a change.
    Person(&'static str),
    /// It depends on what is sent: the call decides.
    OfCall,
}

/// What the log of changes says of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Logged {
    /// What it changes.
    pub subject: Subject,
    /// The field of it that is written down; empty for all of it.
    pub field: &'static str,
    /// What the log calls the field; none for an operation that makes, replaces or removes the whole.
    pub property: Option<&'static str>,
}

/// What an operation changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A device.
    Device,
    /// The posture attributes of a device.
    Attributes,
    /// Those of many devices at once: not tracked.
    ManyAttributes,
    /// A user.
    User,
    /// The policy.
    Policy,
    /// All DNS settings.
    Dns,
    /// The settings.
    Settings,
    /// Whom the service writes to.
    Contacts,
    /// A key.
    Key,
    /// A webhook.
    Webhook,
    /// A service.
    Service,
    /// The hosts of a service.
    Hosts,
    /// A posture integration.
    Integration,
    /// Where a log is streamed to.
    LogStream,
}

impl Logged {
    /// An operation that makes, replaces or removes the whole.
    pub const fn whole(subject: Subject) -> Option<Logged> {
        let (field, property) = ("", None);
        Some(Logged {
            subject,
            field,
            property,
        })
    }

    /// An operation that changes a field, which the log calls by this name.
    pub const fn part(
        subject: Subject,
        field: &'static str,
        property: &'static str,
    ) -> Option<Logged> {
        let property = Some(property);
        Some(Logged {
            subject,
            field,
            property,
        })
    }
}
