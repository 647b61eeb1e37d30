//! Words that the service knows beside names: attributes, capabilities, operators. Others are possible too.
//! Must not live here: keys, protocols and ports, which word is allowed where (`service`).

/// The operators of a condition.
pub(crate) const OPERATORS: [&str; 10] = [
    "==", "!=", ">=", "<=", ">", "<", "IN", "NOT IN", "IS SET", "NOT SET",
];

/// Attributes that every device has, or that some provider sets (docs/policy-language.md#postures).
pub(crate) const ATTRIBUTES: [&str; 8] = [
    "node:os",
    "node:osVersion",
    "node:tsVersion",
    "node:tsReleaseTrack",
    "node:tsAutoUpdate",
    "node:tsStateEncrypted",
    "ip:country",
    "custom:",
];

/// Values that some of them are compared with.
pub(crate) const VALUES: [(&str, &[&str]); 4] = [
    (
        "node:os",
        &["'linux'", "'macos'", "'windows'", "'ios'", "'android'"],
    ),
    ("node:tsReleaseTrack", &["'stable'", "'unstable'"]),
    ("node:tsAutoUpdate", &["true", "false"]),
    ("node:tsStateEncrypted", &["true", "false"]),
];

/// Capabilities of the service that a grant may give (docs/policy-language.md#capabilities).
pub(crate) const CAPABILITIES: [&str; 9] = [
    "tailscale.com/cap/drive",
    "tailscale.com/cap/golink",
    "tailscale.com/cap/kubernetes",
    "tailscale.com/cap/proxy-to-grafana",
    "tailscale.com/cap/relay",
    "tailscale.com/cap/secrets",
    "tailscale.com/cap/tailsql",
    "tailscale.com/cap/tsidp",
    "tailscale.com/cap/webui",
];

/// The one with which the service answers a capability in the other direction, if it does (docs/policy-language.md#capabilities).
pub(crate) fn returned(given: &str) -> Option<&'static str> {
    match given {
        "tailscale.com/cap/drive" => Some("tailscale.com/cap/drive-sharer"),
        "tailscale.com/cap/relay" => Some("tailscale.com/cap/relay-target"),
        _ => None,
    }
}

/// Those of them that Headscale lets a grant give.
pub(crate) const CAPABILITIES_OF_HEADSCALE: [&str; 6] = [
    "tailscale.com/cap/drive",
    "tailscale.com/cap/kubernetes",
    "tailscale.com/cap/relay",
    "tailscale.com/cap/secrets",
    "tailscale.com/cap/tsidp",
    "tailscale.com/cap/webui",
];

/// Node attributes that are in common use; the first is unknown to Headscale.
pub(crate) const NODE_ATTRIBUTES: [&str; 8] = [
    "funnel",
    "nextdns:no-device-info",
    "drive:share",
    "drive:access",
    "magicdns-aaaa",
    "randomize-client-port",
    "disable-ipv4",
    "mullvad",
];
