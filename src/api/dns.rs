//! The calls about nameservers, preferences and search paths, and what they carry.
//! Must not live here: all DNS settings at once (`dns_configuration`), how one setting affects another.
use serde::{Deserialize, Serialize};

use super::endpoint::{Endpoint, Input, null_as_default, read_output, request};
use super::error::Error;
use super::message::{Request, Response};
use super::operation::Operation;
use super::place::{PathStyle, Scope, TailnetName};

/// The nameservers of a tailnet.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Nameservers {
    /// Addresses; an empty list also turns MagicDNS off.
    #[serde(deserialize_with = "null_as_default")]
    pub dns: Vec<String>,
}

/// The state after the nameservers were replaced.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NameserversSet {
    /// Addresses.
    #[serde(deserialize_with = "null_as_default")]
    pub dns: Vec<String>,
    /// Whether MagicDNS is on now.
    #[serde(rename = "magicDNS")]
    pub magic_dns: bool,
}

/// The DNS preferences of a tailnet.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Preferences {
    /// Whether devices are reached by name; needs a nameserver.
    #[serde(rename = "magicDNS")]
    pub magic_dns: bool,
}

/// The DNS search paths of a tailnet.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SearchPaths {
    /// Domain names.
    #[serde(rename = "searchPaths", deserialize_with = "null_as_default")]
    pub search_paths: Vec<String>,
}

/// `GET`: the nameservers of a tailnet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GetNameservers {
    /// The tailnet.
    pub tailnet: TailnetName,
}

impl Endpoint for GetNameservers {
    const OPERATION: Operation = Operation::GetNameservers;
    type Output = Nameservers;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn output(response: &Response) -> Result<Nameservers, Error> {
        read_output(response)
    }

    fn from_request(scope: Scope, _: &Request) -> Result<Self, Error> {
        scope.tailnet().map(|tailnet| GetNameservers { tailnet })
    }

    fn respond(output: &Nameservers) -> Response {
        Response::json(200, output)
    }
}

/// `POST`: replaces the nameservers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetNameservers {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// The new value.
    pub nameservers: Nameservers,
}

impl Endpoint for SetNameservers {
    const OPERATION: Operation = Operation::SetNameservers;
    type Output = NameserversSet;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn to_request(&self, style: PathStyle) -> Request {
        request(Self::OPERATION, &self.scope(), style).with_json(&self.nameservers)
    }

    fn output(response: &Response) -> Result<NameserversSet, Error> {
        read_output(response)
    }

    fn from_request(scope: Scope, request: &Request) -> Result<Self, Error> {
        Ok(SetNameservers {
            tailnet: scope.tailnet()?,
            nameservers: Nameservers {
                dns: Input::read(request)?.texts("dns")?,
            },
        })
    }

    fn respond(output: &NameserversSet) -> Response {
        Response::json(200, output)
    }
}

/// `GET`: the DNS preferences of a tailnet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GetPreferences {
    /// The tailnet.
    pub tailnet: TailnetName,
}

impl Endpoint for GetPreferences {
    const OPERATION: Operation = Operation::GetPreferences;
    type Output = Preferences;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn output(response: &Response) -> Result<Preferences, Error> {
        read_output(response)
    }

    fn from_request(scope: Scope, _: &Request) -> Result<Self, Error> {
        scope.tailnet().map(|tailnet| GetPreferences { tailnet })
    }

    fn respond(output: &Preferences) -> Response {
        Response::json(200, output)
    }
}

/// `POST`: replaces the DNS preferences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetPreferences {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// The new value.
    pub preferences: Preferences,
}

impl Endpoint for SetPreferences {
    const OPERATION: Operation = Operation::SetPreferences;
    type Output = Preferences;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn to_request(&self, style: PathStyle) -> Request {
        request(Self::OPERATION, &self.scope(), style).with_json(&self.preferences)
    }

    fn output(response: &Response) -> Result<Preferences, Error> {
        read_output(response)
    }

    fn from_request(scope: Scope, request: &Request) -> Result<Self, Error> {
        Ok(SetPreferences {
            tailnet: scope.tailnet()?,
            preferences: Preferences {
                magic_dns: Input::read(request)?.flag("magicDNS")?,
            },
        })
    }

    fn respond(output: &Preferences) -> Response {
        Response::json(200, output)
    }
}

/// `GET`: the search paths of a tailnet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GetSearchPaths {
    /// The tailnet.
    pub tailnet: TailnetName,
}

impl Endpoint for GetSearchPaths {
    const OPERATION: Operation = Operation::GetSearchPaths;
    type Output = SearchPaths;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn output(response: &Response) -> Result<SearchPaths, Error> {
        read_output(response)
    }

    fn from_request(scope: Scope, _: &Request) -> Result<Self, Error> {
        scope.tailnet().map(|tailnet| GetSearchPaths { tailnet })
    }

    fn respond(output: &SearchPaths) -> Response {
        Response::json(200, output)
    }
}

/// `POST`: replaces the search paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetSearchPaths {
    /// The tailnet.
    pub tailnet: TailnetName,
    /// The new value.
    pub search_paths: SearchPaths,
}

impl Endpoint for SetSearchPaths {
    const OPERATION: Operation = Operation::SetSearchPaths;
    type Output = SearchPaths;

    fn scope(&self) -> Scope {
        Scope::from(self.tailnet.clone())
    }

    fn to_request(&self, style: PathStyle) -> Request {
        request(Self::OPERATION, &self.scope(), style).with_json(&self.search_paths)
    }

    fn output(response: &Response) -> Result<SearchPaths, Error> {
        read_output(response)
    }

    fn from_request(scope: Scope, request: &Request) -> Result<Self, Error> {
        Ok(SetSearchPaths {
            tailnet: scope.tailnet()?,
            search_paths: SearchPaths {
                search_paths: Input::read(request)?.texts("searchPaths")?,
            },
        })
    }

    fn respond(output: &SearchPaths) -> Response {
        Response::json(200, output)
    }
}
