//! What each key of the language is for, in a sentence (docs/policy-language.md).
//! Must not live here: which object has which key (`keys`).

use super::keys::Inner;

/// What a key of a section is for; of the document if the section is empty.
pub fn of_key(section: &str, key: &str) -> &'static str {
    match (section, key) {
        ("", key) => of_section(key),
        (_, "srcPosture") => {
            "Postures of which the source device must have one. Without it `defaultSrcPosture` applies."
        }
        ("tests" | "sshTests", "srcPostureAttrs") => {
            "Attributes that the source device is assumed to have, such as `node:os`."
        }
        ("acls", key) => match key {
            "action" => "Always `accept`: what no rule accepts is dropped.",
            "src" => {
                "Who may connect: users, groups, tags, addresses, aliases, ipsets, autogroups."
            }
            "dst" => "What they reach: `HOST:PORTS`, with one port, a range, a list, or `*`.",
            _ => "The protocol, by name or number. Without it TCP, UDP and ICMP.",
        },
        ("grants", key) => match key {
            "src" => {
                "Who is granted access: users, groups, tags, addresses, aliases, ipsets, autogroups."
            }
            "dst" => "What they reach; each `ip` and `app` applies to each of these.",
            "ip" => "Ports, alone or with a protocol: `443`, `80-90`, `tcp:22`, `icmp:*`, `*`.",
            "app" => {
                "Capabilities, `DOMAIN/PATH`, each with a list of parameters for the application."
            }
            _ => "Tags, one of which a routing device must have to forward the traffic.",
        },
        ("ssh", key) => of_ssh(key),
        ("tests", key) => match key {
            "src" => "The one source that is tested: a user, group, tag, alias or address.",
            "accept" => "What the source must reach: `HOST:PORT` with one port.",
            "deny" => "What the source must not reach: `HOST:PORT` with one port.",
            _ => "The protocol: tcp, udp or sctp. Without it a rule for TCP or UDP will do.",
        },
        ("sshTests", key) => match key {
            "src" => "Who logs in: a user, group, tag or alias.",
            "dst" => "Where: tags, users, or aliases of one address.",
            "accept" => "Accounts that must be allowed everywhere.",
            "check" => "Accounts that must be allowed after a check.",
            _ => "Accounts that no rule may allow.",
        },
        ("autoApprovers", key) => match key {
            "routes" => "Who may enable routes inside a prefix without approval.",
            "exitNode" => "Who may run exit nodes without approval.",
            _ => "Who may host a service without approval.",
        },
        ("nodeAttrs", key) => match key {
            "target" => "The devices that get the attributes.",
            "attr" => "Attributes, such as `funnel`.",
            "app" => "Applications with their parameters.",
            _ => "Prefixes from which new devices get their addresses.",
        },
        _ => "",
    }
}

fn of_section(key: &str) -> &'static str {
    match key {
        "acls" => {
            "Rules that let traffic through. Without `acls` and `grants` everyone reaches everything."
        }
        "groups" => "Groups of users, `group:NAME`, each a list of logins.",
        "hosts" => "Aliases for addresses and prefixes.",
        "tests" => "What the rules must allow and what not: the policy is refused if a test fails.",
        "tagOwners" => "Tags, `tag:NAME`, and who may give them to devices. `[]` is admins only.",
        "grants" => "Rules that let traffic through and give capabilities of applications.",
        "ssh" => "Who may log in where, as which accounts.",
        "sshTests" => "Which logins `ssh` must allow and which not.",
        "autoApprovers" => "Who may enable routes, exit nodes and services without approval.",
        "nodeAttrs" => "Attributes of devices.",
        "postures" => "Conditions for devices, `posture:NAME`, which must all hold.",
        "defaultSrcPosture" => "Postures for rules that name none of their own.",
        "ipsets" => "Sets of addresses, `ipset:NAME`: operations `add` and `remove`, in order.",
        "attrConfig" => "Declarations of custom attributes.",
        "derpMap" => "Relays of your own.",
        "disableIPv4" => "Whether devices get no IPv4 addresses.",
        "oneCGNATRoute" => "How the route to the addresses of the tailnet is written.",
        "randomizeClientPort" => "Whether devices use a random port.",
        _ => "",
    }
}

fn of_ssh(key: &str) -> &'static str {
    match key {
        "action" => "`accept`, or `check`: after the user has signed in again.",
        "src" => "Who may log in: users, groups, tags, autogroups.",
        "dst" => "Where: tags, users, `autogroup:self`.",
        "users" => {
            "As which accounts: `root`, `autogroup:nonroot`, `localpart:*@DOMAIN`, or by name."
        }
        "checkPeriod" => "How long a check holds, such as `12h`, at most `168h`; or `always`.",
        "acceptEnv" => "Variables that are passed on; `*` stands for any characters.",
        "recorder" => "Tags of the devices that record sessions.",
        _ => "Whether sessions without a recorder are refused.",
    }
}

/// What a key is for that the reader ignores.
pub fn of_inner(inner: Inner, key: &str) -> &'static str {
    match (inner, key) {
        (Inner::Attribute, "type") => "What its values are: `string` or `number`.",
        (Inner::Attribute, "allowSetByNode") => "Whether a device may set it for itself.",
        (Inner::Attribute, _) => "Devices that receive it.",
        (Inner::Relays, "Regions") => "Regions of your own by number, from 900 to 999.",
        (Inner::Relays, _) => "Whether the regions of the service are left out.",
        (_, "RegionID") => "The number of the region.",
        (_, "RegionCode") => "A short name of the region.",
        (_, "RegionName") => "The name of the region, for people.",
        (_, "Nodes") => "The relays of the region.",
        (Inner::Relay, "Name") => "The name of the relay, different from all others.",
        (_, "HostName") => "The host of the relay.",
        (_, "IPv4") => "Its IPv4 address; without it the host is looked up. `none` for none.",
        (_, "IPv6") => "Its IPv6 address; without it the host is looked up. `none` for none.",
        (_, "DERPPort") => "Its relay port; 443 by default.",
        (_, "STUNPort") => "Its STUN port; 3478 by default, none if it is -1.",
        (_, "STUNOnly") => "Whether it answers STUN and relays nothing.",
        (_, "CertName") => "The name in its certificate, if that is not the host's.",
        (_, "connectors") => "Tags of the devices that forward the traffic.",
        (_, "domains") => "Domains whose traffic goes through the connectors.",
        (_, "routes") => "Prefixes whose traffic goes through the connectors.",
        _ => "The name of the application.",
    }
}
