//! The form of a row of the table of operations: what it says, and what is made of it. Must not live here: the rows, which stand beside the types of
//! their bodies (`user_invites`), the list of all (`operation`).

/// Makes calls. A row says everything that is to be known of an operation, once:
///
/// ```text
/// /// What it does and promises: the documentation of the call, of the method in JavaScript, and of the page of operations.
/// CreateWebhook(tailnet: TailnetName) "webhooks.create", Post WEBHOOKS, Once;
///     sends webhook: NewWebhook; gives Webhook as WITH_SECRET; needs Area("webhooks"); logs whole(Webhook);
///     refuses "`bad_request` (subscriptions, provider)";
///     typed "(webhook: NewWebhook): Webhook & { secret: string }";
///     example "const { secret } = await client.webhooks.create({ … })";
///     heads "webhooks" "The webhooks, which are sent events.";
/// ```
///
/// - the call's type and what its path names: one [`Place`](super::Place) for each segment that begins with `:`;
/// - the name in JavaScript, method and path, [`Effect`](super::Effect);
/// - `sends` (optional): a field of the call and its type, a [`Payload`](super::Payload) made by `bodies!`, `queries!` or `sent_as_json!`;
/// - `gives`: an [`Answer`](super::Answer), mostly made by `given_as_json!`; `as` a [`Shape`](super::Shape) where more is checked of it;
/// - `needs`: a [`Right`](super::Right); `logs` (optional): a [`Logged`](super::Logged); `refuses` (optional): the codes of its own;
/// - `typed` (optional, once for each form): the method's type in TypeScript, where it is not that of the row's own types; an argument is a name in the
///   path, a member of the body, or the whole body or query; `example`: how JavaScript calls it;
/// - `heads` (at the first operation of a namespace): what the namespace is.
///
/// Of a row are made the call with its [`Endpoint`](super::Endpoint), what the client sends and checks, the sandbox's rights and log, and what
/// `examples/operation_files` and `tests/api/generated.rs` write: the methods in JavaScript and their
/// declarations, `openapi.json`, the page of operations.
macro_rules! operations {
    (@form $Sent:ty) => { <$Sent as $crate::api::payload::Payload>::FORM };
    (@form $Sent:ty, $form:expr) => { $form };
    ($(
        $(#[doc = $what:literal])+
        $name:ident($($place:ident: $Place:ident),*) $call:literal, $method:ident $template:expr, $effect:ident;
        $(sends $field:ident: $Sent:ty $(as $form:expr)?;)?
        gives $Given:ty $(as $shape:expr)?;
        needs $right:ident $(($area:literal))?;
        $(logs $logged:ident($subject:ident $(, $changed:literal, $property:literal)?);)?
        $(refuses $refused:literal;)?
        $(typed $typed:literal;)*
        $(example $example:literal;)?
        $(heads $space:literal $about:literal;)*
    )+) => {$(
        $(#[doc = $what])+
        #[derive(Clone, PartialEq, Debug)]
        pub struct $name {
            $(#[doc = concat!("The `", stringify!($place), "` of the path.")] pub $place: $crate::api::place::$Place,)*
            $(#[doc = "What is sent."] pub $field: $Sent,)?
        }

        impl $crate::api::operation::Endpoint for $name {
            const OPERATION: $crate::api::operation::Operation = $crate::api::operation::Operation::$name;
            const ROW: $crate::api::row::Row = $crate::api::row::Row {
                name: $call,
                route: $crate::api::route::Route { method: $crate::api::message::Method::$method, template: $template },
                effect: $crate::api::retry::Effect::$effect,
            };
            const RIGHT: $crate::api::row::Right = $crate::api::row::Right::$right$(($area))?;
            $(const LOGGED: Option<$crate::api::row::Logged> =
                $crate::api::row::Logged::$logged($crate::api::row::Subject::$subject $(, $changed, $property)?);)?
            const WORDS: $crate::api::row::Words = $crate::api::row::Words {
                docs: concat!($($what),+),
                refuses: concat!($($refused)?),
                sends: ($((stringify!($field), stringify!($Sent)),)? ("", ""),).0,
                gives: stringify!($Given),
                typed: &[$($typed),*],
                example: concat!($($example)?),
                heads: &[$(($space, $about)),*],
            };
            $(const FORM: $crate::api::shape::Form = operations!(@form $Sent $(, $form)?);)?
            $(const SHAPE: $crate::api::shape::Shape = $shape;)?
            type Output = $Given;

            fn scope(&self) -> $crate::api::place::Scope {
                $crate::api::place::Scope::default()$(.and(self.$place.clone()))*
            }

            $(
                fn write(&self, request: &mut $crate::api::message::Request) {
                    $crate::api::payload::Payload::write(&self.$field, request);
                }

                fn rule(&self) -> $crate::api::retry::Rule {
                    let own = $crate::api::payload::Payload::rule(&self.$field, &self.scope());
                    own.unwrap_or(Self::OPERATION.rule())
                }
            )?

            #[allow(unused_variables, reason = "many requests carry nothing beside their path")]
            fn from_request(
                scope: $crate::api::place::Scope,
                request: &$crate::api::message::Request,
            ) -> Result<Self, $crate::api::error::Error> {
                Ok($name {
                    $($place: $crate::api::place::Place::of(&scope)?,)*
                    $($field: $crate::api::payload::Payload::read(request)?,)?
                })
            }
        }
    )+};
}
pub(super) use operations;
