//! The words of a row of the table of operations: which right it needs, how it is logged.
//! Must not live here: the rows (`operation`), who has a right, what is written down (`sandbox`).

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
