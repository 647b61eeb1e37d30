//! The table of Headscale's operations: each one's name, method, path, effect, what it sends and gives, first release and documentation, written once for
//! client, gateway, sandbox and declarations. Must not live here: headers, what the members of an answer are (`shape`).

use super::release::Release;
use super::shape::{API_KEY, Answer, NODE, PRE_AUTH_KEY, USER};
use crate::api::{Effect, Error, Form, Member, MemberKind, Method, NoRoute, Words, uri};
use crate::tables::find;

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Row {
    /// The name in JavaScript: the client's namespace and verb, `nodes.list`.
    pub name: &'static str,
    /// The method.
    pub method: Method,
    /// The path; a segment that begins with `:` stands for an id or a name.
    pub template: &'static str,
    /// The effect, which decides when it may be repeated.
    pub effect: Effect,
    /// The parameters or the members of the body; those that may be missing are not checked.
    pub sends: Form,
    /// What a success carries.
    pub answer: Answer,
    /// The first release that has it, of those that are known.
    pub since: Release,
}

/// Makes the table, in the form of `api::table` but without types: the values stay with JavaScript, and a path may name two things. `since` (optional) is
/// the first release that has it; `typed` stands where members that are not checked have a type, too. A row makes the variant, so neither can be without
/// the other.
macro_rules! operations {
    (@since) => { Release::V28 };
    (@since $since:ident) => { Release::$since };
    (@sends) => { Form::Nothing };
    (@sends $sends:expr) => { $sends };
    ($(
        $(#[doc = $what:literal])+
        $variant:ident $name:literal, $method:ident $template:literal, $effect:ident;
        $(sends $sends:expr;)?
        gives $answer:expr;
        $(since $since:ident;)?
        $(refuses $refused:literal;)?
        $(typed $typed:literal;)?
        $(heads $space:literal $about:literal;)?
    )+) => {
        /// Every operation of Headscale's API, v1.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Operation {
            $($(#[doc = $what])+ $variant,)+
        }

        impl Operation {
            /// All operations, by namespace.
            pub const ALL: [Operation; [$($name),+].len()] = [$(Operation::$variant),+];

            /// The row of the table.
            #[inline(never)] // Otherwise a loop over the operations would hold one copy of it for each.
            pub fn row(self) -> Row {
                match self {
                    $(Operation::$variant => Row {
                        name: $name,
                        method: Method::$method,
                        template: $template,
                        effect: Effect::$effect,
                        sends: const { operations!(@sends $($sends)?) },
                        answer: $answer,
                        since: operations!(@since $($since)?),
                    },)+
                }
            }

            /// Its documentation. What is sent and given is in the row.
            pub fn words(self) -> Words {
                match self {
                    $(Operation::$variant => Words {
                        docs: concat!($($what),+),
                        refuses: concat!($($refused)?),
                        typed: &[$($typed)?],
                        heads: &[$(($space, $about))?],
                        ..Words::default()
                    },)+
                }
            }
        }
    };
}

const fn text(name: &'static str) -> Member {
    let kind = MemberKind::Text;
    Member { name, kind }
}

const fn texts(name: &'static str) -> Member {
    let kind = MemberKind::Texts;
    Member { name, kind }
}

const fn any(name: &'static str) -> Member {
    let kind = MemberKind::Any;
    Member { name, kind }
}

operations! {
    /// Signs in a machine that waits with this key, for the user with this name.
    RegisterNode "nodes.register", Post "/api/v1/node/register", Once;
        sends Form::Query(&[text("user"), text("key")]); gives Answer::One("node", &NODE);
        heads "nodes" "The machines.";
    /// All machines, or those of the user with this name.
    ListNodes "nodes.list", Get "/api/v1/node", Read;
        sends Form::Query(&[any("user")]); gives Answer::Many("nodes", &NODE);
        refuses "`not_found` (user)";
        typed "(query?: { user?: string }): HeadscaleNode[]";
    /// One machine.
    GetNode "nodes.get", Get "/api/v1/node/:id", Read;
        gives Answer::One("node", &NODE);
    /// Removes a machine.
    DeleteNode "nodes.delete", Delete "/api/v1/node/:id", Once;
        gives Answer::Nothing;
    /// Ends the key of a machine: now, or at this time, or never (null, since 0.29).
    ExpireNode "nodes.expire", Post "/api/v1/node/:id/expire", Replace;
        gives Answer::One("node", &NODE);
        typed "(id: string, at?: string | Date | null): HeadscaleNode";
    /// Renames a machine.
    RenameNode "nodes.rename", Post "/api/v1/node/:id/rename/:name", Replace;
        gives Answer::One("node", &NODE);
        refuses "`bad_request` (no DNS label, or taken)";
    /// Replaces the tags of a machine. One that has tags keeps at least one.
    SetNodeTags "nodes.setTags", Post "/api/v1/node/:id/tags", Replace;
        sends Form::Object(&[texts("tags")]); gives Answer::One("node", &NODE);
    /// Replaces the routes that a machine may serve; each prefix is checked first. Either default route means both.
    SetApprovedRoutes "nodes.setApprovedRoutes", Post "/api/v1/node/:id/approve_routes", Replace;
        sends Form::Object(&[texts("routes")]); gives Answer::One("node", &NODE);
    /// All users, or the one with exactly this name, mail address or id.
    ListUsers "users.list", Get "/api/v1/user", Read;
        sends Form::Query(&[any("name"), any("email"), any("id")]); gives Answer::Many("users", &USER);
        typed "(query?: { name?: string } | { email?: string } | { id?: string }): HeadscaleUser[]";
        heads "users" "The users.";
    /// Makes a user.
    CreateUser "users.create", Post "/api/v1/user", Once;
        sends Form::Object(&[text("name"), any("displayName"), any("email"), any("pictureUrl")]); gives Answer::One("user", &USER);
        refuses "`conflict` (name taken)";
        typed "(user: { name: string; displayName?: string; email?: string; pictureUrl?: string }): HeadscaleUser";
    /// Renames a user.
    RenameUser "users.rename", Post "/api/v1/user/:id/rename/:name", Replace;
        gives Answer::One("user", &USER);
    /// Removes a user.
    DeleteUser "users.delete", Delete "/api/v1/user/:id", Once;
        gives Answer::Nothing;
        refuses "`bad_request` (still has nodes)";
    /// The keys with which machines sign in.
    ListPreAuthKeys "preAuthKeys.list", Get "/api/v1/preauthkey", Read;
        gives Answer::Many("preAuthKeys", &PRE_AUTH_KEY);
        heads "preAuthKeys" "The keys with which machines sign in.";
    /// Makes a key with which machines sign in. `user` is an id. The whole key is in this answer and nowhere else.
    CreatePreAuthKey "preAuthKeys.create", Post "/api/v1/preauthkey", Once;
        sends Form::Object(&[any("user"), any("reusable"), any("ephemeral"), any("expiration"), any("aclTags")]); gives Answer::One("preAuthKey", &PRE_AUTH_KEY);
        typed "(key: { user?: string; reusable?: boolean; ephemeral?: boolean; expiration?: string | Date; aclTags?: string[] }): HeadscalePreAuthKey";
    /// Ends such a key now.
    ExpirePreAuthKey "preAuthKeys.expire", Post "/api/v1/preauthkey/expire", Replace;
        sends Form::Object(&[text("id")]); gives Answer::Nothing;
    /// Removes such a key.
    DeletePreAuthKey "preAuthKeys.delete", Delete "/api/v1/preauthkey", Once;
        sends Form::Query(&[text("id")]); gives Answer::Nothing;
    /// The keys of this API.
    ListApiKeys "apiKeys.list", Get "/api/v1/apikey", Read;
        gives Answer::Many("apiKeys", &API_KEY);
        heads "apiKeys" "The keys of this API.";
    /// Makes a key of this API, and gives it: it is in this answer and nowhere else.
    CreateApiKey "apiKeys.create", Post "/api/v1/apikey", Once;
        sends Form::Object(&[any("expiration")]); gives Answer::Text("apiKey");
        typed "(key?: { expiration?: string | Date }): string";
    /// Ends a key of this API now.
    ExpireApiKey "apiKeys.expire", Post "/api/v1/apikey/expire", Replace;
        sends Form::Object(&[text("prefix")]); gives Answer::Nothing;
    /// Removes a key of this API.
    DeleteApiKey "apiKeys.delete", Delete "/api/v1/apikey/:prefix", Once;
        gives Answer::Nothing;
    /// The policy.
    GetPolicy "policy.get", Get "/api/v1/policy", Read;
        gives Answer::Policy;
        heads "policy" "The policy.";
    /// Replaces the policy, whatever is stored.
    SetPolicy "policy.set", Put "/api/v1/policy", Once;
        sends Form::Object(&[text("policy")]); gives Answer::Policy;
        refuses "`bad_request` (the policy, in the server's words)";
    /// Has the server judge a policy; nothing is stored.
    CheckPolicy "policy.check", Post "/api/v1/policy/check", Read;
        sends Form::Object(&[text("policy")]); gives Answer::Nothing; since V29;
        refuses "`bad_request` (the policy, in the server's words)";
    /// Signs in a machine that waits with this id, for the user with this name.
    RegisterAuth "auth.register", Post "/api/v1/auth/register", Once;
        sends Form::Object(&[text("user"), text("authId")]); gives Answer::One("node", &NODE); since V29;
        heads "auth" "Who waits at a login page or for an SSH check.";
    /// Lets in who waits for an SSH check or at a login page.
    ApproveAuth "auth.approve", Post "/api/v1/auth/approve", Once;
        sends Form::Object(&[text("authId")]); gives Answer::Nothing; since V29;
    /// Turns away who waits for an SSH check or at a login page.
    RejectAuth "auth.reject", Post "/api/v1/auth/reject", Once;
        sends Form::Object(&[text("authId")]); gives Answer::Nothing; since V29;
    /// Whether the server reaches its database.
    Health "health", Get "/api/v1/health", Read;
        gives Answer::Object;
        typed "(): { databaseConnectivity: boolean }";
}

impl Operation {
    /// The operation of that JavaScript name.
    pub fn by_name(name: &str) -> Option<Operation> {
        let mut all = Operation::ALL.into_iter();
        all.find(|operation| operation.row().name == name)
    }

    /// The path with these texts in its variable segments, in order, percent-encoded; a segment without a text stays empty.
    pub fn path(self, places: &[String]) -> String {
        let mut places = places.iter();
        let mut path = String::new();
        for segment in segments(self.row().template) {
            path.push('/');
            match segment.strip_prefix(':') {
                Some(_) => uri::encode_into(&mut path, places.next().map_or("", String::as_str)),
                None => path.push_str(segment),
            }
        }
        path
    }

    /// The names of the variable segments, in order.
    pub fn places(self) -> impl Iterator<Item = &'static str> {
        segments(self.row().template).filter_map(|segment| segment.strip_prefix(':'))
    }

    /// The operation of a method and a percent-encoded path, and the texts in its variable segments.
    ///
    /// # Errors
    /// [`NoRoute::UnknownPath`], or [`NoRoute::MethodNotAllowed`] with the methods that the path allows.
    pub fn find(method: Method, path: &str) -> Result<(Operation, Vec<String>), NoRoute> {
        let mut allowed = Vec::new();
        for operation in Operation::ALL {
            let row = operation.row();
            let Some(places) = fitting(row.template, path) else {
                continue;
            };
            if row.method == method {
                return Ok((operation, places));
            }
            allowed.push(row.method);
        }
        Err(match allowed.is_empty() {
            true => NoRoute::UnknownPath,
            false => NoRoute::MethodNotAllowed(allowed),
        })
    }
}

/// A text that can be one segment of a path.
///
/// # Errors
/// [`Error::Argument`] naming `option` for an empty text, `.` and `..`: they would change the path.
pub fn place(option: &'static str, text: &str) -> Result<String, Error> {
    if text.is_empty() {
        return Err(Error::argument(option, "must not be empty"));
    }
    if uri::is_dot_segment(text) {
        return Err(Error::argument(option, "must not be `.` or `..`"));
    }
    Ok(text.to_owned())
}

/// The texts in the variable segments of a template, if the path fits it.
fn fitting(template: &str, path: &str) -> Option<Vec<String>> {
    let mut places = Vec::new();
    let mut given = segments(path);
    for segment in segments(template) {
        let found = given.next()?;
        if segment.starts_with(':') {
            places.push(place("path", &uri::decode(found)?).ok()?);
        } else if segment != found {
            return None;
        }
    }
    given.next().is_none().then_some(places)
}

/// The parts between the slashes of an absolute path.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    find::split(path.strip_prefix('/').unwrap_or(path), b'/')
}
