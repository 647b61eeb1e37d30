//! Where the words of a finding come from: the one table of all messages that are not ours (docs/policy-language.md#refusals).
//! Must not live here: the messages themselves.

use crate::hujson::Origin::{self, Documented, Ours, Recorded};
use crate::tables::find::find;

/// What messages of a code begin with and contain, and where such words come from. The first matching row counts;
/// a message without one is ours.
const WORDS: [(&str, &str, &str, Origin); 49] = [
    (
        "duplicate_key",
        "duplicate object member name ",
        "",
        Documented,
    ),
    ("unknown_field", "json: unknown field ", "", Documented),
    ("invalid_action", "action", "", Recorded),
    ("invalid_action", "\"", " is not a valid action", Recorded),
    (
        "invalid_source",
        "[ssh] \"check\" action does not",
        "",
        Documented,
    ),
    (
        "invalid_source",
        "\"",
        " not valid on the src side",
        Recorded,
    ),
    ("invalid_destination", "cannot use ", "", Recorded),
    (
        "invalid_destination",
        "dst \"",
        ": to allow all IP",
        Recorded,
    ),
    ("invalid_destination", "invalid dst ", "", Recorded),
    ("invalid_self", "autogroup:self can only", "", Recorded),
    ("invalid_port", "", ": invalid first integer", Recorded),
    (
        "invalid_port",
        "port range ",
        ": first port must be >0",
        Recorded,
    ),
    ("invalid_port", "dst=", "", Documented),
    ("invalid_port", "port range ", "", Documented),
    ("invalid_port", "invalid port list: ", "", Documented),
    ("invalid_port", "host cannot contain ", "", Documented),
    ("invalid_port", "empty string", "", Documented),
    ("invalid_port", "protocol does not support ", "", Documented),
    ("unknown_protocol", "", "", Documented),
    ("empty_grant", "", "", Recorded),
    ("invalid_capability", "", "", Recorded),
    ("invalid_via", "", "", Documented),
    ("invalid_users", "users must be specified", "", Recorded),
    ("invalid_users", "user \"*\" is not valid", "", Recorded),
    ("invalid_users", "user \"\" is not valid", "", Documented),
    ("invalid_env", "", "", Documented),
    ("invalid_check_period", "", "", Documented),
    ("unknown_group", "group not found: ", "", Documented),
    ("unsynced_group", "", "group is not syncing ", Documented),
    ("unknown_tag", "src=tag not found: ", "", Recorded),
    ("unknown_tag", "dst=", ": tag not found: ", Recorded),
    ("unknown_tag", "tag \"", "\" not found", Recorded),
    ("unknown_tag", "tag not found: ", "", Documented),
    ("unknown_host", "\"", ": invalid address", Recorded),
    ("unknown_user", "\"group:", ": user not found: ", Documented),
    ("foreign_domain", "", "", Recorded),
    (
        "invalid_member",
        "groups[",
        " cannot be recursive",
        Recorded,
    ),
    ("invalid_host", "", "", Documented),
    ("invalid_tag", "", "start with a letter, after", Recorded),
    ("invalid_tag", "", "", Documented),
    ("invalid_target", "", "", Recorded),
    ("invalid_pool", "", " within reserved range", Recorded),
    ("invalid_ssh_test", "SSH tests dst ", "", Recorded),
    (
        "invalid_ssh_test",
        "SSH tests src contains dis",
        "",
        Documented,
    ),
    ("test_failed", "test(s) failed", "", Recorded),
    ("test_failed", "address \"", "\" (user \"", Ours),
    ("test_failed", "address \"", ": want: ", Documented),
    ("test_failed", "address ", ": invalid port \"", Documented),
    ("test_failed", "no associated IPs for user", "", Documented),
];

/// Where the words of a message come from.
pub(super) fn of(code: &str, message: &str) -> Origin {
    let mut rows = WORDS.iter().filter(|(of, ..)| *of == code);
    let row = rows.find(|(_, start, part, _)| {
        message.starts_with(start) && find(message.as_bytes(), part.as_bytes()).is_some()
    });
    row.map_or(Ours, |row| row.3)
}
