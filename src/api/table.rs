//! The form of the table of operations: what a row says, and what is made of it. Must not live here: the rows (`operation`).

/// Makes the table. A row says everything that is to be known of an operation, once:
///
/// ```text
/// /// What it does, in a line or two; the documentation of the operation and of its call.
/// CreateWebhook(tailnet: TailnetName) "webhooks.create", Post WEBHOOKS, Once;
///     sends webhook: NewWebhook; gives Webhook as WITH_SECRET; needs Area("webhooks"); logs whole(Subject::Webhook);
///     refuses "`bad_request` (subscriptions, provider)";
/// ```
///
/// - the call's type and what its path names: one [`Place`](super::Place) for each segment that begins with `:`;
/// - the name in JavaScript, method and path, [`Effect`](super::Effect);
/// - `sends` (optional): a field of the call and its type, a [`Payload`](super::Payload) made by `bodies!`, `queries!` or `sent_as_json!`;
/// - `gives`: an [`Answer`](super::Answer), mostly made by `given_as_json!`; `as` a [`Shape`](super::Shape) where more is checked of it;
/// - `needs`: a [`Right`](super::Right); `logs` (optional): a [`Logged`](super::Logged); `refuses` (optional): the codes of its own.
///
/// Of a row are made the variant of [`Operation`](super::Operation), the call with its [`Endpoint`](super::Endpoint), what the client sends
/// and checks, the sandbox's rights and log, and the generated files that `tests/api/generated.rs` names.
macro_rules! operations {
    (@form $Sent:ty) => { <$Sent as Payload>::FORM };
    (@form $Sent:ty, $form:expr) => { $form };
    ($(
        $(#[doc = $what:literal])+
        $name:ident($($place:ident: $Place:ty),*) $call:literal, $method:ident $template:expr, $effect:ident;
        $(sends $field:ident: $Sent:ty $(as $form:expr)?;)?
        gives $Given:ty $(as $shape:expr)?;
        needs $right:expr;
        $(logs $logged:expr;)?
        $(refuses $refused:literal;)?
    )+) => {
        /// Every operation of the service.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Operation {
            $($(#[doc = $what])+ $name,)+
        }

        impl Operation {
            /// All operations, by namespace.
            pub const ALL: [Operation; [$($call),+].len()] = [$(Operation::$name),+];

            #[inline(never)] // Otherwise a loop over the operations would hold one copy of it for each.
            fn row(self) -> Row {
                match self {
                    $(Operation::$name => Row {
                        name: $call,
                        route: Route { method: Method::$method, template: $template },
                        effect: Effect::$effect,
                    },)+
                }
            }

            /// What its request carries beside the path.
            pub fn form(self) -> Form {
                match self {
                    $(Operation::$name => <$name as Endpoint>::FORM,)+
                }
            }

            /// What is checked of its success.
            pub fn shape(self) -> Shape {
                match self {
                    $(Operation::$name => <$name as Endpoint>::SHAPE,)+
                }
            }

            /// The right that it needs.
            pub fn right(self) -> Right {
                match self {
                    $(Operation::$name => $right,)+
                }
            }

            /// What the log of changes says of it; none for one that is not logged.
            pub fn logged(self) -> Option<Logged> {
                match self {
                    $($(Operation::$name => $logged,)?)+
                    _ => None,
                }
            }

            /// What it does, in words.
            pub fn docs(self) -> &'static str {
                match self {
                    $(Operation::$name => concat!($($what),+).trim_ascii(),)+
                }
            }

            /// An exchange, read with the types of the row and written again: what these do not know is lost.
            ///
            /// # Errors
            /// Those of [`Endpoint::from_request`] and [`Endpoint::output`].
            pub fn relay(self, style: PathStyle, scope: Scope, exchange: (&Request, &Response)) -> Result<(Request, Response), Error> {
                match self {
                    $(Operation::$name => relayed::<$name>(style, scope, exchange),)+
                }
            }

            /// The codes of errors that are its own, in words; empty where there are none.
            pub fn refusals(self) -> &'static str {
                match self {
                    $($(Operation::$name => $refused,)?)+
                    _ => "",
                }
            }
        }

        $(
            $(#[doc = $what])+
            #[derive(Clone, PartialEq, Debug)]
            pub struct $name {
                $(#[doc = concat!("The `", stringify!($place), "` of the path.")] pub $place: $Place,)*
                $(#[doc = "What is sent."] pub $field: $Sent,)?
            }

            impl Endpoint for $name {
                const OPERATION: Operation = Operation::$name;
                $(const FORM: Form = operations!(@form $Sent $(, $form)?);)?
                $(const SHAPE: Shape = $shape;)?
                type Output = $Given;

                fn scope(&self) -> Scope {
                    Scope::default()$(.and(self.$place.clone()))*
                }

                $(
                    fn write(&self, request: &mut Request) {
                        Payload::write(&self.$field, request);
                    }

                    fn rule(&self) -> Rule {
                        let own = Payload::rule(&self.$field, &self.scope());
                        own.unwrap_or(Rule::of(Effect::$effect))
                    }
                )?

                #[allow(unused_variables, reason = "many requests carry nothing beside their path")]
                fn from_request(scope: Scope, request: &Request) -> Result<Self, Error> {
                    Ok($name {
                        $($place: Place::of(&scope)?,)*
                        $($field: Payload::read(request)?,)?
                    })
                }
            }
        )+
    };
}
pub(super) use operations;
