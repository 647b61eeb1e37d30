//! The form of types that are read from JSON and written to it: the habits of the service, said once. Must not live here: such types, types whose members
//! must be there.

/// Makes types with serde: members are named in camel case, and one that is missing has its default. An `Option` that is `None` is not written. A list or
/// a map may be `null`, as Go writes an empty one. `other` keeps the members that are not named.
macro_rules! wire_types {
    ($($(#[$what:meta])+ pub struct $name:ident { $($members:tt)+ })+) => {
        $(wire_types! { @members [$(#[$what])+ $name] {} $($members)+ })+
    };
    (@members $type:tt {$($read:tt)*} $(#[$of:meta])+ pub other: $map:ty, $($rest:tt)*) => {
        wire_types! { @members $type {$($read)* $(#[$of])+ #[serde(flatten)] pub other: $map,} $($rest)* }
    };
    (@members $type:tt {$($read:tt)*} $(#[$of:meta])+ pub $member:ident: Option<$of_it:ty>, $($rest:tt)*) => {
        wire_types! { @members $type {
            $($read)* $(#[$of])+ #[serde(skip_serializing_if = "Option::is_none")] pub $member: Option<$of_it>,
        } $($rest)* }
    };
    (@members $type:tt $read:tt $(#[$of:meta])+ pub $member:ident: Vec<$item:ty>, $($rest:tt)*) => {
        wire_types! { @nullable $type $read [$(#[$of])+ pub $member: Vec<$item>,] $($rest)* }
    };
    (@members $type:tt $read:tt $(#[$of:meta])+ pub $member:ident: Map<$key:ty, $value:ty>, $($rest:tt)*) => {
        wire_types! { @nullable $type $read [$(#[$of])+ pub $member: Map<$key, $value>,] $($rest)* }
    };
    (@members $type:tt $read:tt $(#[$of:meta])+ pub $member:ident: BTreeMap<$key:ty, $value:ty>, $($rest:tt)*) => {
        wire_types! { @nullable $type $read [$(#[$of])+ pub $member: BTreeMap<$key, $value>,] $($rest)* }
    };
    (@members $type:tt {$($read:tt)*} $(#[$of:meta])+ pub $member:ident: $plain:ty, $($rest:tt)*) => {
        wire_types! { @members $type {$($read)* $(#[$of])+ pub $member: $plain,} $($rest)* }
    };
    (@nullable $type:tt {$($read:tt)*} [$($member:tt)+] $($rest:tt)*) => {
        wire_types! { @members $type {
            $($read)* #[serde(deserialize_with = "crate::api::payload::null_as_default")] $($member)+
        } $($rest)* }
    };
    (@members [$(#[$what:meta])+ $name:ident] {$($read:tt)*}) => {
        #[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        $(#[$what])+
        pub struct $name { $($read)* }
    };
}
pub(super) use wire_types;
