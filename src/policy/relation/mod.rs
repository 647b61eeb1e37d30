//! Who reaches what under one document, and what differs between two: one theory for every answer about access.
//!
//! Endpoints that may differ (`atoms`, `named_sets`) form classes by the selectors that include them (`classes`); rules are rows from sources to
//! destinations with what they open and what must hold (`rows`, `accounts`, `condition`), some of which a
//! source meets (`postures`); `reach` builds what one class of sources reaches.
//! A `pair` of readings is compared (`compare`) where it may differ (`touched`), place by place (`cell`, `checks`); each difference is an
//! `item`, by their names (`name`, `naming`, `reported`).
//! Must not live here: the answers of verbs, and their words.

pub mod accounts;
pub mod among;
pub mod atoms;
mod cell;
pub mod changed;
mod checks;
pub mod classes;
pub mod columns;
mod compare;
pub mod comparison;
pub mod condition;
pub mod contents;
pub mod cuts;
pub mod endpoints;
mod forwarded;
pub mod hit;
pub mod hops;
pub mod ids;
pub mod item;
pub mod itself;
pub mod line;
pub mod machines;
pub mod matrix;
pub mod meant;
pub mod name;
mod named_routes;
mod named_sets;
pub mod naming;
mod orphaned;
pub mod pair;
pub mod pairs;
pub mod part_of;
pub mod parts;
mod perhaps;
pub mod places;
mod postures;
pub mod reach;
pub mod reading;
mod rectangles;
pub mod region;
pub mod reported;
pub mod rows;
mod shared;
pub mod ssh_network;
pub mod ssh_port;
pub mod touched;
