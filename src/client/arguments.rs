//! The arguments of JavaScript's methods, checked and made into requests before anything is sent.
//! Must not live here: paths and bodies (`api`), what replies look like (`reply`).

use super::reply::Reply;
use super::{CallOptions, Client, Options, UpdateError};
use crate::api::given::{self, Object};
use crate::api::{
    AclBody, AclDocument, AclFormat, DeleteDevice, DeviceId, Endpoint, Error, Field, Fields,
    GetAcl, GetDevice, GetDeviceRoutes, GetNameservers, GetPreferences, GetSearchPaths, IfMatch,
    ListDevices, Method, Nameservers, Operation, Preferences, PreviewAcl, PreviewFor, Request,
    SearchPaths, SetAcl, SetDeviceRoutes, SetNameservers, SetPreferences, SetSearchPaths,
    TailnetName, Transport, headers, uri,
};
use crate::hujson::{Kind, Value};
use crate::{cidr, client};

/// A call as JavaScript asked for it.
#[derive(Debug)]
pub struct Call {
    /// What to send.
    pub request: Request,
    /// How.
    pub options: CallOptions,
    /// What the caller is promised of the answer.
    pub reply: Reply,
}

/// Arguments of `acl.update`.
#[derive(Debug)]
pub struct UpdateCall {
    /// Whose policy.
    pub tailnet: TailnetName,
    /// How often to read and edit before giving up.
    pub rounds: u32,
    /// Whether the edited policy is checked before it is written.
    pub check: bool,
    /// How to send.
    pub options: CallOptions,
}

/// The name under which [`Call::read`] takes a request that is none of the operations.
const ANY: &str = "request";

impl Call {
    /// Reads the JSON object of a method's arguments; `options` in it are the call's own.
    ///
    /// # Errors
    /// [`Error::Argument`] names the argument that is missing or wrong.
    pub fn read(method: &str, text: &str, client: &Options) -> Result<Call, Error> {
        let document = given::read(text)?;
        let given = Object::of(document.root());
        let options = call_options(given)?;
        let arguments = Arguments {
            given,
            client,
            call: &options,
        };
        let (request, reply) = if method == ANY {
            (arguments.any()?, Reply::Any)
        } else {
            let unknown = || Error::argument("operation", "is unknown");
            let operation = Operation::by_name(method).ok_or_else(unknown)?;
            (arguments.request(operation)?, arguments.reply(operation)?)
        };
        Ok(Call {
            request,
            options,
            reply,
        })
    }
}

impl UpdateCall {
    /// Runs the update.
    ///
    /// # Errors
    /// Those of [`Client::update_acl`].
    pub async fn run<T: Transport, E>(
        &self,
        client: &Client<T>,
        edit: impl AsyncFnMut(String) -> Result<String, E>,
    ) -> Result<AclDocument, UpdateError<client::Error<T>, E>> {
        client
            .update_acl(&self.tailnet, self.rounds, &self.options, edit)
            .await
    }

    /// Reads the JSON object of the arguments of `acl.update`, whose own options stand beside the call's.
    ///
    /// # Errors
    /// [`Error::Argument`] names the argument that is missing or wrong.
    pub fn read(text: &str, client: &Options) -> Result<UpdateCall, Error> {
        let document = given::read(text)?;
        let given = Object::of(document.root());
        let options = call_options(given)?;
        if !given.function("edit")? {
            return Err(Error::argument("edit", "must be a function"));
        }
        let own = given.object("options")?.unwrap_or(Object::empty());
        let rounds = own.retries("attempts")?.unwrap_or(super::UPDATE_ROUNDS);
        if rounds == 0 {
            return Err(Error::argument("attempts", "must be 1 or more"));
        }
        Ok(UpdateCall {
            tailnet: client.tailnet_of(&options)?,
            rounds,
            check: own.flag("check")?.unwrap_or(true),
            options,
        })
    }
}

fn call_options(given: Object<'_>) -> Result<CallOptions, Error> {
    let options = given.object("options")?;
    options.map_or_else(|| Ok(CallOptions::default()), CallOptions::read)
}

/// What a method was given, beside what its client knows.
#[derive(Clone, Copy)]
struct Arguments<'a> {
    given: Object<'a>,
    client: &'a Options,
    call: &'a CallOptions,
}

impl Arguments<'_> {
    /// The request of an operation.
    fn request(self, operation: Operation) -> Result<Request, Error> {
        match operation {
            Operation::GetDevice => {
                let (id, fields) = (self.id()?, self.fields()?);
                self.write(GetDevice { id, fields })
            }
            Operation::DeleteDevice => self.write(DeleteDevice { id: self.id()? }),
            Operation::GetDeviceRoutes => self.write(GetDeviceRoutes { id: self.id()? }),
            Operation::SetDeviceRoutes => self.write(self.set_routes()?),
            Operation::ListDevices => {
                let (tailnet, fields) = (self.tailnet()?, self.fields()?);
                self.write(ListDevices { tailnet, fields })
            }
            Operation::GetAcl => {
                let (tailnet, format) = (self.tailnet()?, self.format()?);
                self.write(GetAcl {
                    tailnet,
                    format,
                    details: false,
                })
            }
            Operation::SetAcl => self.write(self.set_acl()?),
            Operation::PreviewAcl => self.write(self.preview_acl()?),
            Operation::GetNameservers => self.write(GetNameservers {
                tailnet: self.tailnet()?,
            }),
            Operation::SetNameservers => self.write(self.set_nameservers()?),
            Operation::GetPreferences => self.write(GetPreferences {
                tailnet: self.tailnet()?,
            }),
            Operation::SetPreferences => self.write(self.set_preferences()?),
            Operation::GetSearchPaths => self.write(GetSearchPaths {
                tailnet: self.tailnet()?,
            }),
            Operation::SetSearchPaths => self.write(self.set_search_paths()?),
            Operation::ValidateAcl
            | Operation::AuthorizeDevice
            | Operation::SetDeviceTags
            | Operation::SetDeviceKey
            | Operation::SetDeviceName
            | Operation::SetDeviceIp => {
                Err(Error::argument("operation", "has no method: use `request`"))
            }
        }
    }

    fn write(self, endpoint: impl Endpoint) -> Result<Request, Error> {
        Ok(endpoint.to_request(self.client.path_style))
    }

    /// What the answer promises. Policies come in the format that was asked for.
    fn reply(self, operation: Operation) -> Result<Reply, Error> {
        Ok(match (Reply::of(operation), self.format()?) {
            (Reply::AclText, AclFormat::Json) => Reply::AclJson,
            (Reply::Preview { .. }, _) => Reply::Preview {
                question: self.given.required_text("user")?.to_owned(),
            },
            (reply, _) => reply,
        })
    }

    fn tailnet(self) -> Result<TailnetName, Error> {
        self.client.tailnet_of(self.call)
    }

    fn id(self) -> Result<DeviceId, Error> {
        DeviceId::new(self.given.required_text("id")?)
    }

    /// `fields` is one word or a list of words.
    fn fields(self) -> Result<Fields, Error> {
        let fields = self.given.get("fields");
        let words = match fields.map(|fields| (fields.kind(), fields.as_str())) {
            None | Some((Kind::Null, _)) => return Ok(Fields::default()),
            Some((_, Some(word))) => vec![word.to_owned()],
            Some(_) => self.given.texts("fields")?,
        };
        let wrong = || Error::argument("fields", "must be `default`, `all`, or a list of these");
        let fields = words
            .iter()
            .map(|word| Field::parse(word).ok_or_else(wrong));
        fields.collect::<Result<_, _>>().map(Fields)
    }

    fn format(self) -> Result<AclFormat, Error> {
        match self.given.text("format")? {
            None | Some("hujson") => Ok(AclFormat::HuJson),
            Some("json") => Ok(AclFormat::Json),
            Some(_) => Err(Error::argument("format", "must be `hujson` or `json`")),
        }
    }

    /// A policy is a text, which goes out as it is, or an object, which arrives here as the JSON text of it.
    fn acl(self) -> Result<AclBody, Error> {
        if let Some(text) = self.given.text("acl")? {
            return Ok(AclBody {
                format: AclFormat::HuJson,
                text: text.to_owned(),
            });
        }
        match self.given.text("aclJSON")? {
            Some(text) if text.starts_with('{') => Ok(AclBody {
                format: AclFormat::Json,
                text: text.to_owned(),
            }),
            Some(_) => Err(Error::argument("acl", "must be a text or an object")),
            None => Err(Error::argument("acl", "is missing")),
        }
    }

    fn set_acl(self) -> Result<SetAcl, Error> {
        let (tag, overwrite) = (self.given.get("ifMatch"), self.given.flag("overwrite")?);
        let if_match = match (tag.map(Value::as_str), overwrite) {
            (Some(Some(tag)), _) => Some(IfMatch::parse(tag)?),
            (None, Some(true)) => None,
            _ => {
                let reason =
                    "is missing: pass the `etag` of the policy that was read, or `overwrite: true`";
                return Err(Error::argument("ifMatch", reason));
            }
        };
        Ok(SetAcl {
            tailnet: self.tailnet()?,
            body: self.acl()?,
            if_match,
            format: self.format()?,
        })
    }

    fn preview_acl(self) -> Result<PreviewAcl, Error> {
        let user = self.given.required_text("user")?;
        if user.trim().is_empty() {
            return Err(Error::argument("user", "must not be empty"));
        }
        Ok(PreviewAcl {
            tailnet: self.tailnet()?,
            body: self.acl()?,
            preview_for: PreviewFor::User(user.to_owned()),
        })
    }

    fn set_nameservers(self) -> Result<SetNameservers, Error> {
        let nameservers = Nameservers {
            dns: self.given.texts("dns")?,
        };
        let tailnet = self.tailnet()?;
        Ok(SetNameservers {
            tailnet,
            nameservers,
        })
    }

    fn set_search_paths(self) -> Result<SetSearchPaths, Error> {
        let search_paths = SearchPaths {
            search_paths: self.given.texts("searchPaths")?,
        };
        let tailnet = self.tailnet()?;
        Ok(SetSearchPaths {
            tailnet,
            search_paths,
        })
    }

    fn set_preferences(self) -> Result<SetPreferences, Error> {
        let magic_dns = self.given.flag("magicDNS")?;
        let missing = || Error::argument("magicDNS", "is missing");
        Ok(SetPreferences {
            tailnet: self.tailnet()?,
            preferences: Preferences {
                magic_dns: magic_dns.ok_or_else(missing)?,
            },
        })
    }

    /// Every prefix is checked, and sent exactly as it was given.
    fn set_routes(self) -> Result<SetDeviceRoutes, Error> {
        let routes = self.given.texts("routes")?;
        let options = self.given.object("options")?;
        let validate = options.map_or(Ok(None), |options| options.flag("validate"))?;
        if validate.unwrap_or(true) {
            for (index, route) in routes.iter().enumerate() {
                check_route(index, route)?;
            }
        }
        Ok(SetDeviceRoutes {
            id: self.id()?,
            routes,
        })
    }

    /// A request that is none of the operations.
    fn any(self) -> Result<Request, Error> {
        let name = self.given.required_text("method")?;
        let unknown = || Error::argument("method", format!("must be an HTTP method, not `{name}`"));
        let method = Method::parse(name).ok_or_else(unknown)?;
        let mut target = absolute_path(self.given.required_text("path")?)?;
        if let Some(query) = self.given.object("query")? {
            for (name, value) in query.members() {
                push_query(&mut target, name, value)?;
            }
        }
        let request = Request::new(method, target);
        let body = self.given.text("body")?;
        if body.is_some() && matches!(method, Method::Get | Method::Head) {
            return Err(Error::argument(
                "body",
                format!("cannot be sent with {method}"),
            ));
        }
        Ok(match body {
            Some(body) => request.with_body(headers::JSON, body.as_bytes().to_vec()),
            None => request,
        })
    }
}

/// A parameter, or each of a list of them.
fn push_query(target: &mut String, name: &str, value: Value<'_>) -> Result<(), Error> {
    let one = value.as_str().map(|text| vec![text.to_owned()]);
    let reason = "must be a string or a list of strings";
    let texts = one.or_else(|| given::texts(value));
    for text in texts.ok_or_else(|| Error::argument(format!("query.{name}"), reason))? {
        uri::push_query(target, name, &text);
    }
    Ok(())
}

fn check_route(index: usize, route: &str) -> Result<(), Error> {
    let checked = cidr::check(route, cidr::Options::default());
    checked.map(drop).map_err(|error| {
        Error::argument(format!("routes[{index}]"), format!("is no route: {error}"))
    })
}

/// A path that stays what it is when it is put behind the base URL.
fn absolute_path(path: &str) -> Result<String, Error> {
    let foreign = |c: char| c.is_whitespace() || c.is_control() || "\\#".contains(c);
    if !path.starts_with('/') || path.contains(foreign) {
        return Err(Error::argument(
            "path",
            "must begin with `/` and be percent-encoded",
        ));
    }
    let (before_query, _) = uri::split_target(path);
    let steps = |segment: &str| uri::decode(segment).is_some_and(|s| uri::is_dot_segment(&s));
    if before_query.split('/').any(steps) {
        return Err(Error::argument(
            "path",
            "must not have `.` or `..` segments",
        ));
    }
    Ok(path.to_owned())
}
