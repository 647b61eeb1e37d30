//! The arguments of the methods in JavaScript, checked and made into requests before anything is sent.
//! Must not live here: paths and bodies (`api`), what replies look like (`reply`).

use super::reply::Reply;
use super::{CallOptions, Options};
use crate::api::given::Object;
use crate::api::retry::Rule;
use crate::api::{
    AclBody, AclChange, AclFormat, AclQuestion, AclWanted, DeviceFilter, Endpoint, Error, Field,
    Fields, FilterKind, Form, GetAcl, IfMatch, Member, MemberKind, Method, Operation, PreviewAcl,
    PreviewFor, Request, Scope, SetAcl, Slot, TAILNET_RANGE, TailnetName, ValidateAcl, headers,
    is_tailnet_address, uri,
};
use crate::cidr;
use crate::hujson::{Kind, Value, minimal, quote};
use crate::tables::find;

/// The arguments of a method, with the options of its client and of the call.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'a> {
    pub(super) given: Object<'a>,
    pub(super) client: &'a Options,
    pub(super) call: &'a CallOptions,
}

impl Arguments<'_> {
    /// The request of an operation.
    pub(super) fn request(self, operation: Operation) -> Result<Request, Error> {
        match operation.form() {
            Form::Nothing | Form::Query(_) | Form::Devices(_) => self.plain(operation),
            Form::Object(members) => self.with_body(operation, members),
            Form::List => self.with_list(operation),
            Form::Policy => self.acl_request(operation),
        }
    }

    /// The request of an operation that sends no body.
    fn plain(self, operation: Operation) -> Result<Request, Error> {
        let mut scope = Scope::default();
        for slot in operation.route().slots() {
            scope = scope.and(self.fill(slot)?);
        }
        let path = operation.path(&scope, self.client.path_style);
        let mut request = Request::new(operation.route().method, path);
        self.query(operation, &mut request.target)?;
        Ok(request)
    }

    /// Fills a slot of a path: with the tailnet, with `id` for a name that ends in `ID`, else with the argument of the slot's name.
    fn fill(self, slot: &'static str) -> Result<Scope, Error> {
        let name = match Slot::of(slot) {
            None | Some(Slot::Tailnet) => return self.tailnet().map(Scope::from),
            Some(_) if slot.ends_with("ID") => "id",
            Some(_) => slot.trim_start_matches(':'),
        };
        let text = self.given.required_text(name)?.to_owned();
        Slot::of(slot).unwrap_or(Slot::Item).filled(name, text)
    }

    fn query(self, operation: Operation, target: &mut String) -> Result<(), Error> {
        match operation {
            Operation::GetDevice => self.fields()?.push(target),
            Operation::ListDevices => {
                let filter = self.filter()?;
                let fields = match filter.needs_all() {
                    true => Fields::all(),
                    false => self.fields()?,
                };
                fields.push(target);
                filter.write(target);
            }
            _ => {
                if let Form::Query(parameters) = operation.form() {
                    for parameter in parameters {
                        self.parameter(parameter, target)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Appends a parameter, if it is given or must be.
    fn parameter(self, parameter: &Member, target: &mut String) -> Result<(), Error> {
        let name = parameter.name;
        match (parameter.kind, self.given.given(name)) {
            (MemberKind::Flag, _) => uri::push_query(target, name, "true"),
            (MemberKind::Text, _) => uri::push_query(target, name, self.given.required_text(name)?),
            (MemberKind::Texts, Some(values)) => push_query(target, name, values, "")?,
            (_, Some(_)) => {
                let value = self.given.text(name)?.unwrap_or_default();
                uri::push_query(target, name, value);
            }
            _ => {}
        }
        Ok(())
    }

    /// The request with the list `body`, which is sent as it was given.
    fn with_list(self, operation: Operation) -> Result<Request, Error> {
        let body = self
            .given
            .get("body")
            .filter(|body| body.kind() == Kind::Array);
        let body = body.ok_or_else(|| Error::argument("body", "must be a list"))?;
        for (index, item) in body.elements().enumerate() {
            if item.kind() != Kind::Object {
                return Err(Error::argument(
                    format!("body[{index}]"),
                    "must be an object",
                ));
            }
        }
        let request = self.plain(operation)?;
        Ok(request.with_json_text(body.raw().to_owned()))
    }

    /// The request with the object `body`, which is sent as it was given, once these members are checked.
    fn with_body(self, operation: Operation, members: &[Member]) -> Result<Request, Error> {
        let request = self.plain(operation)?;
        let given = self.given.object("body")?;
        let body = given.unwrap_or(Object::empty());
        // To authorize a device is to let it in, unless the body says otherwise.
        let lets_in = operation == Operation::AuthorizeDevice && body.flag("authorized")?.is_none();
        for member in members.iter().filter(|_| !lets_in) {
            check(body, member)?;
        }
        if given.is_none() {
            return Err(Error::argument("body", "must be an object"));
        }
        match operation {
            Operation::SetDeviceRoutes => self.check_routes(body)?,
            Operation::SetDeviceIp => check_ip(body.required_text("ipv4")?)?,
            _ => {}
        }
        let text = match operation {
            _ if lets_in => r#"{"authorized":true}"#.to_owned(),
            Operation::SetService if body.get("name").is_none() => self.named(body)?,
            _ => body.text_of().to_owned(),
        };
        Ok(request.with_json_text(text))
    }

    /// The body of a service that keeps its name, with that name.
    fn named(self, body: Object<'_>) -> Result<String, Error> {
        let mut text = r#"{"name":"#.to_owned();
        quote(self.given.required_text("name")?, &mut text);
        if body.members().next().is_some() {
            text.push(',');
        }
        let text_of = body.text_of();
        text.push_str(text_of.strip_prefix('{').unwrap_or(text_of));
        Ok(text)
    }

    fn acl_request(self, operation: Operation) -> Result<Request, Error> {
        Ok(match operation {
            Operation::SetAcl => self.write(SetAcl {
                tailnet: self.tailnet()?,
                change: self.acl_change()?,
            }),
            Operation::PreviewAcl => self.write(PreviewAcl {
                tailnet: self.tailnet()?,
                question: self.acl_question()?,
            }),
            Operation::ValidateAcl => self.write(ValidateAcl {
                tailnet: self.tailnet()?,
                body: self.acl_or_tests()?,
            }),
            _ => self.write(GetAcl {
                tailnet: self.tailnet()?,
                wanted: AclWanted {
                    format: self.format()?,
                    details: self.given.flag("details")?.unwrap_or(false),
                },
            }),
        })
    }

    fn write(self, endpoint: impl Endpoint) -> Request {
        endpoint.to_request(self.client.path_style)
    }

    /// After which failures the call may be repeated.
    pub(super) fn rule(self, operation: Operation) -> Result<Rule, Error> {
        if operation != Operation::SetService {
            return Ok(operation.rule());
        }
        let body = self.given.object("body")?;
        let given = body.map_or(Ok(None), |body| body.text("name"))?;
        Ok(Rule::of_name(self.given.required_text("name")?, given))
    }

    /// What the caller is promised of the answer. Policies come in the format that was asked for.
    pub(super) fn reply(self, operation: Operation) -> Result<Reply, Error> {
        Ok(match Reply::of(operation) {
            Reply::AclText if self.given.flag("details")? == Some(true) => Reply::AclDetails,
            Reply::AclText if self.format()? == AclFormat::Json => Reply::AclJson,
            Reply::Preview { .. } => Reply::Preview {
                question: self.preview_for()?.as_str().to_owned(),
            },
            Reply::Devices(_) => Reply::Devices(self.filter()?),
            Reply::Sent { .. } => Reply::Sent {
                body: self.given.get("body").map(minimal).unwrap_or_default(),
            },
            reply => reply,
        })
    }

    fn tailnet(self) -> Result<TailnetName, Error> {
        self.client.tailnet_of(self.call)
    }

    /// The fields to ask for: `fields` is one word or a list of words.
    fn fields(self) -> Result<Fields, Error> {
        let fields = self.given.get("fields");
        let words = match fields.map(|fields| (fields.kind(), fields.as_str())) {
            None | Some((Kind::Null, _)) => return Ok(Fields::default()),
            Some((_, Some(word))) => vec![word.to_owned()],
            Some(_) => self.given.texts("fields")?,
        };
        let mut fields = Vec::new();
        for word in &words {
            let wrong =
                || Error::argument("fields", "must be `default`, `all`, or a list of these");
            fields.push(Field::parse(word).ok_or_else(wrong)?);
        }
        Ok(Fields(fields))
    }

    /// The filter: `filter` has one value or a list of values for each field.
    fn filter(self) -> Result<DeviceFilter, Error> {
        let mut filter = DeviceFilter::default();
        let Some(given) = self.given.object("filter")? else {
            return Ok(filter);
        };
        for (name, value) in given.members() {
            let wanted = match DeviceFilter::kind(name) {
                Some(FilterKind::Flag) => Kind::Bool,
                _ => Kind::String,
            };
            for value in one_or_each(value) {
                if value.kind() != wanted {
                    let reason = "is of the wrong type for this field";
                    return Err(Error::argument(format!("filter.{name}"), reason));
                }
                let text = value.as_str().unwrap_or(value.raw());
                filter.add(name, text.to_owned())?;
            }
        }
        Ok(filter)
    }

    fn format(self) -> Result<AclFormat, Error> {
        match self.given.text("format")? {
            None | Some("hujson") => Ok(AclFormat::HuJson),
            Some("json") => Ok(AclFormat::Json),
            Some(_) => Err(Error::argument("format", "must be `hujson` or `json`")),
        }
    }

    /// A policy is a text or an object; both are sent as they were given.
    fn acl(self) -> Result<AclBody, Error> {
        self.acl_as(&[Kind::String, Kind::Object], "must be a text or an object")
    }

    /// A policy as above, or a list of tests.
    fn acl_or_tests(self) -> Result<AclBody, Error> {
        let kinds = [Kind::String, Kind::Object, Kind::Array];
        self.acl_as(&kinds, "must be a text, an object or a list of tests")
    }

    fn acl_as(self, kinds: &[Kind], reason: &'static str) -> Result<AclBody, Error> {
        let missing = || Error::argument("acl", "is missing");
        let acl = self.given.get("acl").ok_or_else(missing)?;
        if !kinds.contains(&acl.kind()) {
            return Err(Error::argument("acl", reason));
        }
        Ok(match acl.as_str() {
            Some(text) => AclBody {
                format: AclFormat::HuJson,
                text: text.to_owned(),
            },
            None => AclBody {
                format: AclFormat::Json,
                text: acl.raw().to_owned(),
            },
        })
    }

    fn acl_change(self) -> Result<AclChange, Error> {
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
        Ok(AclChange {
            body: self.acl()?,
            if_match,
            format: self.format()?,
        })
    }

    fn acl_question(self) -> Result<AclQuestion, Error> {
        Ok(AclQuestion {
            body: self.acl()?,
            preview_for: self.preview_for()?,
        })
    }

    fn preview_for(self) -> Result<PreviewFor, Error> {
        let (name, address) = match self.given.text("ipPort")? {
            Some(address) => ("ipPort", Some(address.to_owned())),
            None => ("user", None),
        };
        let text = self.given.required_text(name)?;
        if text.trim().is_empty() {
            return Err(Error::argument(name, "must not be empty"));
        }
        Ok(address.map_or_else(|| PreviewFor::User(text.to_owned()), PreviewFor::IpPort))
    }

    /// Checks every prefix, unless the option `validate` is false. They are sent exactly as they were given.
    fn check_routes(self, body: Object<'_>) -> Result<(), Error> {
        let options = self.given.object("options")?;
        let validate = options.map_or(Ok(None), |options| options.flag("validate"))?;
        if validate.unwrap_or(true) {
            for (index, route) in body.texts("routes")?.iter().enumerate() {
                check_route(index, route)?;
            }
        }
        Ok(())
    }

    /// A request of any method and path, whether it is one of the operations or not.
    pub(super) fn any(self) -> Result<Request, Error> {
        let name = self.given.required_text("method")?;
        let unknown = || Error::argument("method", format!("must be an HTTP method, not `{name}`"));
        let method = Method::parse(name).ok_or_else(unknown)?;
        let mut target = absolute_path(self.given.required_text("path")?)?;
        if let Some(query) = self.given.object("query")? {
            for (name, value) in query.members() {
                push_query(&mut target, name, value, "query.")?;
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

/// Appends a parameter, once for each value if they are a list. In errors `place` comes before its name.
fn push_query(target: &mut String, name: &str, value: Value<'_>, place: &str) -> Result<(), Error> {
    for value in one_or_each(value) {
        let reason = "must be a string or a list of strings";
        let wrong = || Error::argument(format!("{place}{name}"), reason);
        uri::push_query(target, name, value.as_str().ok_or_else(wrong)?);
    }
    Ok(())
}

/// The elements of a list, or the value itself if it is not a list.
fn one_or_each(value: Value<'_>) -> Vec<Value<'_>> {
    match value.kind() {
        Kind::Array => value.elements().collect(),
        _ => vec![value],
    }
}

pub(super) fn check_route(index: usize, route: &str) -> Result<(), Error> {
    let checked = cidr::check(route, cidr::Options::default());
    checked.map(drop).map_err(|error| {
        let meant = error.suggestion();
        let meant = meant.map_or(String::new(), |meant| format!("; write `{meant}`"));
        let reason = format!("is no route: {}{meant}", error.reason());
        Error::argument(format!("routes[{index}]"), reason)
    })
}

/// Checks that a member of a body is there and of the right kind.
pub(super) fn check(body: Object<'_>, member: &Member) -> Result<(), Error> {
    let name = member.name;
    let found = body.get(name).map(Value::kind);
    let fits = match (member.kind, found) {
        (MemberKind::Any, _) => return Ok(()),
        (MemberKind::Texts, _) => return body.texts(name).map(drop),
        (_, None) => return Err(Error::argument(name, "is missing")),
        (MemberKind::Text, Some(kind)) => kind == Kind::String,
        (MemberKind::Flag, Some(kind)) => kind == Kind::Bool,
        (MemberKind::List, Some(kind)) => kind == Kind::Array,
        (MemberKind::Object, Some(kind)) => kind == Kind::Object,
        (MemberKind::Scalar, Some(kind)) => {
            matches!(kind, Kind::String | Kind::Bool | Kind::Number)
        }
    };
    let wanted = || Error::argument(name, format!("must be {}", member.kind.expected()));
    if fits { Ok(()) } else { Err(wanted()) }
}

/// Checks that a device of a tailnet can have this address.
fn check_ip(text: &str) -> Result<(), Error> {
    if cidr::Address::parse(text).is_ok_and(is_tailnet_address) {
        return Ok(());
    }
    let reason = format!("must be an IPv4 address in {TAILNET_RANGE}");
    Err(Error::argument("ipv4", reason))
}

/// The path, if it stays the same when it is appended to the base URL.
fn absolute_path(path: &str) -> Result<String, Error> {
    let foreign = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '\\' | '#');
    if !path.starts_with('/') || path.contains(foreign) {
        return Err(Error::argument(
            "path",
            "must begin with `/` and be percent-encoded",
        ));
    }
    let (before_query, _) = uri::split_target(path);
    let steps = |segment: &str| uri::decode(segment).is_some_and(|s| uri::is_dot_segment(&s));
    if find::split(before_query, b'/').any(steps) {
        return Err(Error::argument(
            "path",
            "must not have `.` or `..` segments",
        ));
    }
    Ok(path.to_owned())
}
