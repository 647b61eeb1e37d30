//! The few questions a client has about URLs: is this a usable base, where does a redirect lead, is that the
//! same origin (RFC 3986, RFC 6454). Must not live here: paths of the service (`api`).
use std::fmt;

use crate::api::headers::same_name;
use crate::cidr::Address;
use crate::tables::find;

/// An absolute `http` or `https` URL, taken apart. Host and scheme are lower case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Url {
    scheme: Scheme,
    host: String,
    port: u16,
    /// Begins with `/` or is empty.
    path: String,
    /// With its `?`, or empty.
    query: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scheme {
    Http,
    Https,
}

impl Scheme {
    fn parse(name: &str) -> Option<Scheme> {
        let schemes = [Scheme::Http, Scheme::Https];
        schemes
            .into_iter()
            .find(|scheme| same_name(scheme.as_str(), name))
    }

    fn as_str(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }

    fn default_port(self) -> u16 {
        match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        }
    }
}

impl Url {
    /// Reads an absolute URL; a fragment is dropped. The error does not repeat the text, which may hold a secret.
    pub(super) fn parse(text: &str) -> Result<Url, &'static str> {
        let foreign = |c: char| {
            c.is_whitespace()
                || c.is_control()
                || matches!(c, '\\' | '<' | '>' | '"' | '^' | '`' | '{' | '|' | '}')
        };
        if text.contains(foreign) {
            return Err("has characters that no URL has");
        }
        let text = find::split_once(text, "#").map_or(text, |(head, _)| head);
        let no_scheme = "must begin with `https://` or `http://`";
        let (scheme, rest) = find::split_once(text, "://").ok_or(no_scheme)?;
        let scheme = Scheme::parse(scheme).ok_or(no_scheme)?;
        let (authority, tail) = split_before(rest, "/?");
        let (path, query) = split_before(tail, "?");
        let (host, port) = host_and_port(authority)?;
        Ok(Url {
            scheme,
            host,
            port: port.unwrap_or(scheme.default_port()),
            path: path.to_owned(),
            query: query.to_owned(),
        })
    }

    /// Where a reference leads from here (RFC 3986, section 5.2; dot segments are left to the transport).
    pub(super) fn resolve(&self, reference: &str) -> Result<Url, &'static str> {
        let reference = reference.trim();
        let (head, _) = split_before(reference, "/?#");
        if find::has(head, b':') {
            return Url::parse(reference);
        }
        if reference.starts_with("//") {
            return Url::parse(&format!("{}:{reference}", self.scheme.as_str()));
        }
        let origin = self.origin();
        if reference.starts_with('/') {
            return Url::parse(&format!("{origin}{reference}"));
        }
        if reference.is_empty() || reference.starts_with(['?', '#']) {
            return Url::parse(&format!("{origin}{}{reference}", self.path));
        }
        let folder = find::rsplit_once(&self.path, b'/').map(|(folder, _)| folder);
        Url::parse(&format!(
            "{origin}{}/{reference}",
            folder.unwrap_or_default()
        ))
    }

    /// Scheme, host and port, as a URL begins with them.
    fn origin(&self) -> String {
        let scheme = self.scheme.as_str();
        if self.port == self.scheme.default_port() {
            format!("{scheme}://{}", self.host)
        } else {
            format!("{scheme}://{}:{}", self.host, self.port)
        }
    }

    /// Whether both have the same scheme, host and port.
    pub(super) fn same_origin(&self, other: &Url) -> bool {
        self.origin() == other.origin()
    }

    /// Whether what is sent there may be read or changed on its way.
    pub(super) fn is_insecure(&self) -> bool {
        self.scheme == Scheme::Http && !self.is_loopback()
    }

    fn is_loopback(&self) -> bool {
        let address = Address::parse(&self.host);
        self.host == "localhost"
            || self.host.ends_with(".localhost")
            || self.host == "[::1]"
            || matches!(address, Ok(Address::V4(bits)) if bits >> 24 == 127)
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.origin(), self.path, self.query)
    }
}

/// The text before the first of these characters, and the text from it on.
fn split_before<'t>(text: &'t str, ends: &str) -> (&'t str, &'t str) {
    let end = text.bytes().position(|byte| find::has(ends, byte));
    end.and_then(|at| text.split_at_checked(at))
        .unwrap_or((text, ""))
}

fn host_and_port(authority: &str) -> Result<(String, Option<u16>), &'static str> {
    if find::has(authority, b'@') {
        return Err("must not hold a user name or password: pass the key as `apiKey`");
    }
    let (host, port) = match find::rsplit_once(authority, b':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (authority, ""),
    };
    let bracketed = host.starts_with('[') && host.ends_with(']');
    if host.is_empty() || (!bracketed && split_before(host, ":[]%").0 != host) {
        return Err("has no host that can be read");
    }
    let port = match port {
        "" => None,
        digits => Some(digits.parse().map_err(|_| "has no port that can be read")?),
    };
    Ok((host.to_ascii_lowercase(), port))
}

/// The address of the service: the URL that all of its paths are appended to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BaseUrl(Url);

impl BaseUrl {
    /// Reads a base URL, with or without a slash at its end. `page` is the address of the page that a path is
    /// resolved against; `allow_insecure` lets plain `http` leave the machine, and is absent where no option can.
    pub(super) fn read(
        text: &str,
        page: Option<&str>,
        allow_insecure: Option<bool>,
    ) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.is_empty() {
            return Err("must not be empty");
        }
        let page = page.and_then(|page| Url::parse(page).ok());
        let mut url = match page.filter(|_| find::split_once(text, "://").is_none()) {
            Some(page) => page.resolve(text)?,
            None => Url::parse(text)?,
        };
        if split_before(text, "?#").0 != text {
            return Err("must not have a query or a fragment");
        }
        match allow_insecure {
            Some(true) => {}
            _ if !url.is_insecure() => {}
            None => return Err("must begin with `https://`: plain http is for loopback hosts"),
            Some(false) => {
                return Err(
                    "must begin with `https://`: plain http is for loopback hosts, or with `allowInsecureHTTP`",
                );
            }
        }
        url.path.truncate(url.path.trim_end_matches('/').len());
        Ok(BaseUrl(url))
    }

    /// The URL of a path of the service.
    pub(super) fn join(&self, target: &str) -> String {
        format!("{}{target}", self.0)
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
