//! What was probably meant by malformed ports: reversed ranges, names of services, blanks, slashes.
//! Must not live here: which ports are valid, and the service's words for the rest.

use super::ports::{PortError, Ports, Protocol, RangeFault};
use crate::policy::findings::hint::Hint;
use crate::policy::findings::words::{joined, quoted};

/// Services that people name where only numbers are accepted. Names of the same port are adjacent.
pub(crate) const SERVICES: [(&str, &str); 23] = [
    ("ftp", "21"),
    ("ssh", "22"),
    ("telnet", "23"),
    ("smtp", "25"),
    ("dns", "53"),
    ("domain", "53"),
    ("http", "80"),
    ("ntp", "123"),
    ("ldap", "389"),
    ("https", "443"),
    ("smb", "445"),
    ("nfs", "2049"),
    ("mysql", "3306"),
    ("rdp", "3389"),
    ("postgres", "5432"),
    ("postgresql", "5432"),
    ("vnc", "5900"),
    ("redis", "6379"),
    ("kubernetes", "6443"),
    ("http-alt", "8080"),
    ("https-alt", "8443"),
    ("prometheus", "9090"),
    ("mongodb", "27017"),
];

/// What to say if no valid port number was meant.
const LIMITS: &str = "ports go from 1 to 65535, and `*` is all of them";

/// The entries of a list as they were probably meant, or a general hint; none if that is unclear.
pub(crate) fn entries(list: &str) -> Option<Result<Vec<String>, Hint>> {
    let mut entries = Vec::new();
    for written in list.split(',') {
        let entry: String = written.split_whitespace().collect();
        if entry.is_empty() {
            continue;
        }
        entries.push(match Ports::parse(&entry).err() {
            None => entry,
            Some(PortError::Range(_, RangeFault::Reversed)) => {
                let (first, last) = entry.split_once('-')?;
                joined(&[last, "-", first])
            }
            Some(_) if is_numeric(&entry) => return Some(Err(Hint::marked(LIMITS))),
            Some(_) => service(&entry)?.to_owned(),
        });
    }
    (!entries.is_empty()).then_some(Ok(entries))
}

/// A number, or two with one dash.
fn is_numeric(entry: &str) -> bool {
    let (first, last) = entry.split_once('-').unwrap_or((entry, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    digits(first) && digits(last)
}

/// The port of a service that is named where only a number is accepted.
pub(crate) fn service(name: &str) -> Option<&'static str> {
    let mut services = SERVICES.iter();
    let found = services.find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, port)| *port)
}

/// How to write an entry of a grant's `ip`.
#[inline(never)]
pub(crate) fn of_grant(text: &str) -> Hint {
    match meant(text) {
        None => {
            Hint::marked("write ports such as `443` or `80-90`, with a protocol `tcp:443`, or `*`")
        }
        Some(Err(known)) => known,
        Some(Ok(entries)) => match &entries[..] {
            [entry] if text.bytes().any(|byte| byte.is_ascii_whitespace()) => {
                Hint::write(&["no blanks may stand here: write ", entry])
            }
            [entry] => Hint::write(&["write ", entry]),
            many => {
                let many: Vec<String> = many.iter().map(|entry| quoted(entry)).collect();
                Hint::write(&["one entry holds one range: write ", &many.join(", ")])
            }
        },
    }
}

/// The entries of `ip` that were probably meant by one of them.
fn meant(text: &str) -> Option<Result<Vec<String>, Hint>> {
    if is_protocol(text.trim()) {
        return Some(Ok(vec![joined(&[text.trim(), ":*"])]));
    }
    let (protocol, ports) = match (text.rsplit_once(':'), text.split_once('/')) {
        (Some((protocol, ports)), _) => (protocol.trim(), ports),
        (_, Some((before, behind))) if is_protocol(before.trim()) => (before.trim(), behind),
        (_, Some((before, behind))) if is_protocol(behind.trim()) => (behind.trim(), before),
        _ => ("", text),
    };
    let mut entries = match entries(ports)? {
        Ok(entries) => entries,
        known => return Some(known),
    };
    if !matches!(protocol, "" | "*") {
        Protocol::parse(protocol).ok()?;
        for entry in &mut entries {
            *entry = joined(&[protocol, ":", entry]);
        }
    }
    Some(Ok(entries))
}

/// Whether a text names a protocol, other than by number.
fn is_protocol(text: &str) -> bool {
    Protocol::parse(text).is_ok() && !is_numeric(text)
}
