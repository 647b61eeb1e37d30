//! What exports reach. Calls are seen in each form of the file, but which data and slots of the table a function needs only the
//! linked file says: later forms hold plain numbers. So the functions that exports reach are found in the file that
//! wasm-bindgen made; by their names, what data and slots those need; with these slots, the functions that exports reach in
//! the optimised file. wasm-opt leaves data and slots where they are. Must not live here: reading and writing files.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::{Context, Result, bail, ensure};

use crate::glue::Glue;
use crate::linked::{Linked, Needs};
use crate::module::Module;
use crate::write::{self, Part, Shape, Written};

/// What host and loaders need of each file, whatever it exports.
const ALWAYS: [&str; 2] = ["memory", "__wbindgen_start"];

/// One linked file in its three forms, and its glue.
pub struct Kit<'a> {
    linked: Linked<'a>,
    bound: Module<'a>,
    /// By the index of a function of the bound file, its name in the linked file.
    names: Vec<Option<&'a str>>,
    optimised: Module<'a>,
    image: Vec<u8>,
    glue: Glue<'a>,
}

/// A module with its glue.
pub struct Cut {
    pub wasm: Vec<u8>,
    pub glue: String,
}

/// What files leave to one that is added to them while they run: data whose names contain this, and what that needs.
#[derive(Clone, Copy)]
pub struct Apart<'n>(pub &'n str);

/// A file that is not written yet.
struct Plan<'a> {
    /// The name under which it imports its glue.
    glue: String,
    statements: BTreeSet<usize>,
    exports: BTreeSet<&'a str>,
    reached: Reached,
}

#[derive(Clone, Default)]
struct Reached {
    /// Indices in the linked file's symbols.
    data: BTreeSet<usize>,
    slots: BTreeSet<u32>,
    /// Functions of the optimised file.
    functions: BTreeSet<u32>,
}

impl<'a> Kit<'a> {
    /// `linked` with all names and relocations, `bound` as wasm-bindgen made it of that with the names kept as they are,
    /// `optimised` as wasm-opt made it of that, and the glue that wasm-bindgen wrote.
    pub fn read(
        linked: &'a [u8],
        bound: &'a [u8],
        optimised: &'a [u8],
        glue: &'a str,
    ) -> Result<Self> {
        let linked = Linked::read(linked).context("the linked file")?;
        let bound = Module::read(bound).context("the bound file")?;
        let optimised = Module::read(optimised).context("the optimised file")?;
        let glue = Glue::read(glue)?;
        let names = names(&linked, &bound)?;
        let image = optimised.image();
        let kit = Self {
            linked,
            bound,
            names,
            optimised,
            image,
            glue,
        };
        kit.check()?;
        Ok(kit)
    }

    /// The functions for JavaScript, which glue and wasm both have.
    pub fn exports(&self) -> impl Iterator<Item = &'a str> {
        let exported = self.optimised.exports.iter().map(|export| export.name);
        exported.filter(|name| self.glue.exports(name))
    }

    /// The module that has these exports, whose glue is `./NAME_bg.js`.
    pub fn cut(&self, name: &str, exports: &[&str]) -> Result<Cut> {
        let plan = self.plan(name, exports, &Reached::default())?;
        self.finish(&plan, Shape::Alone, &BTreeSet::new())
    }

    /// Modules by name and exports as `cut` makes them, without what they leave to another, and that other. It is instantiated
    /// beside any of them: its memory, table and stack are theirs, and so are the functions that all of them have; those of the glue are of
    /// `glue`. It exports nothing: to be there is all that it does.
    pub fn cut_apart(
        &self,
        apart: Apart<'_>,
        hosts: &[(&str, Vec<&str>)],
    ) -> Result<(Vec<Cut>, Vec<u8>)> {
        let roots = self.apart(apart)?;
        let left = Reached {
            data: roots.clone(),
            ..Reached::default()
        };
        let plans = hosts
            .iter()
            .map(|(name, exports)| self.plan(name, exports, &left));
        let plans = plans.collect::<Result<Vec<_>>>()?;
        let given = plans
            .iter()
            .map(|plan| plan.reached.clone())
            .reduce(|one, other| one.of_both(&other));
        let given = given.unwrap_or_default();
        let mut reached = Reached::default();
        let roots = (Vec::new(), roots.into_iter().collect());
        self.follow(roots, &given, &mut reached)?;
        let lent = self.reach_calls(Vec::new(), &given, &mut reached)?;
        for plan in &plans {
            self.check_added(&reached, plan)?;
        }
        let hosts = plans
            .iter()
            .map(|plan| self.finish(plan, Shape::Host, &lent));
        let added = Written {
            shape: Shape::Added,
            glue: "glue",
            exports: &BTreeSet::new(),
            lent: &lent,
        };
        Ok((hosts.collect::<Result<_>>()?, self.write(added, &reached)?))
    }

    /// Nothing that is added resets what a host may have changed, or calls what its glue has not.
    fn check_added(&self, added: &Reached, host: &Plan<'_>) -> Result<()> {
        let data = added.data.iter();
        for symbol in data.filter_map(|&index| self.linked.symbols.get(index)) {
            ensure!(
                !symbol.is_state,
                "to add `{}` would reset it where it is already",
                symbol.name
            );
        }
        let glue = self.glue.text(&host.statements);
        for name in self.imported(added) {
            let is_there = glue.contains(&format!(" {name}("));
            ensure!(is_there, "`{name}` is not in the glue of each host");
        }
        Ok(())
    }

    /// What a file with these exports has, but for what is left to another.
    fn plan(&self, name: &str, exports: &[&str], left: &Reached) -> Result<Plan<'a>> {
        let known = self
            .optimised
            .exports
            .iter()
            .map(|export| (export.name, export.name));
        let known: HashMap<&str, &'a str> = known.collect();
        let known = |name: &str| {
            let found = known.get(name).copied();
            found.with_context(|| format!("the linked file exports no `{name}`"))
        };
        let mut wanted = BTreeSet::new();
        for name in ALWAYS.iter().chain(exports) {
            wanted.insert(known(name)?);
        }
        loop {
            let reached = self.reached(&wanted, left)?;
            let statements = self
                .glue
                .reached(self.imported(&reached).chain(exports.iter().copied()))?;
            let before = wanted.len();
            for name in self.glue.wanted(&statements) {
                wanted.insert(known(name)?);
            }
            if wanted.len() == before {
                return Ok(Plan {
                    glue: format!("./{name}_bg.js"),
                    statements,
                    exports: wanted,
                    reached,
                });
            }
        }
    }

    /// Writes a file; `lent` are the functions that it exports for an added one.
    fn finish(&self, plan: &Plan<'_>, shape: Shape, lent: &BTreeSet<u32>) -> Result<Cut> {
        let written = Written {
            shape,
            glue: &plan.glue,
            exports: &plan.exports,
            lent,
        };
        let wasm = self.write(written, &plan.reached);
        Ok(Cut {
            wasm: wasm.with_context(|| format!("writing the file of {}", plan.glue))?,
            glue: self.glue.text(&plan.statements),
        })
    }

    /// The data that is left to an added file.
    fn apart(&self, Apart(part): Apart<'_>) -> Result<BTreeSet<usize>> {
        let symbols = (0..).zip(&self.linked.symbols);
        let found: BTreeSet<usize> = symbols
            .filter(|(_, symbol)| symbol.name.contains(part))
            .map(|(index, _)| index)
            .collect();
        ensure!(!found.is_empty(), "no data has `{part}` in its name");
        Ok(found)
    }

    /// The functions of the glue that are called.
    fn imported(&self, reached: &Reached) -> impl Iterator<Item = &'a str> {
        let functions = reached.functions.iter();
        let functions = functions.filter_map(|&index| self.optimised.functions.get(index as usize));
        functions.filter_map(|function| function.import.map(|(_, name)| name))
    }

    fn write(&self, written: Written<'_>, reached: &Reached) -> Result<Vec<u8>> {
        let slots = reached.slots.iter();
        let slots = slots.filter_map(|slot| Some((*slot, *self.optimised.slots.get(slot)?)));
        let data = reached
            .data
            .iter()
            .filter_map(|&index| self.linked.symbols.get(index));
        let data = data.map(|symbol| {
            (
                symbol.at as usize,
                symbol.at as usize + symbol.size as usize,
            )
        });
        let part = Part {
            written,
            functions: &reached.functions,
            slots: &slots.collect::<BTreeMap<_, _>>(),
            data: data.collect(),
        };
        write::write(&self.optimised, &self.image, &part)
    }

    fn reached(&self, exports: &BTreeSet<&str>, given: &Reached) -> Result<Reached> {
        let mut reached = Reached::default();
        let bound = self.bound.exported();
        let bound = exports.iter().filter_map(|name| bound.get(name).copied());
        let bound = bound.chain(self.bound.start).collect();
        self.follow((bound, Vec::new()), given, &mut reached)?;
        let exported = self.optimised.exported();
        let exported = exports
            .iter()
            .filter_map(|name| exported.get(name).copied());
        let roots = exported.chain(self.optimised.start).collect();
        self.reach_calls(roots, given, &mut reached)?;
        Ok(reached)
    }

    /// The functions of the optimised file that are called by these and by those in the slots. What is given is not followed: of that, those
    /// that are called.
    fn reach_calls(
        &self,
        roots: Vec<u32>,
        given: &Reached,
        reached: &mut Reached,
    ) -> Result<BTreeSet<u32>> {
        let slots = reached.slots.iter();
        let mut open = roots;
        open.extend(slots.filter_map(|slot| self.optimised.slots.get(slot).copied()));
        let mut lent = BTreeSet::new();
        while let Some(index) = open.pop() {
            let function = self.optimised.function(index)?;
            // What is imported from the glue is so wherever it is called.
            if given.functions.contains(&index) && function.import.is_none() {
                lent.insert(index);
            } else if reached.functions.insert(index) {
                open.extend(&function.calls);
            }
        }
        Ok(lent)
    }

    /// The data and the slots that functions of the bound file and data need, by the bound file and the linked file, but for what is given.
    fn follow(
        &self,
        (mut functions, mut data): (Vec<u32>, Vec<usize>),
        given: &Reached,
        reached: &mut Reached,
    ) -> Result<()> {
        let mut seen = BTreeSet::new();
        loop {
            let needs = if let Some(index) = functions.pop() {
                if !seen.insert(index) {
                    continue;
                }
                functions.extend(&self.bound.function(index)?.calls);
                let name = self.names.get(index as usize).copied().flatten();
                name.and_then(|name| self.linked.functions.get(name))
            } else if let Some(index) = data.pop() {
                if given.data.contains(&index) || !reached.data.insert(index) {
                    continue;
                }
                self.linked.symbols.get(index).map(|symbol| &symbol.needs)
            } else {
                return Ok(());
            };
            let Some(Needs { data: more, slots }) = needs else {
                continue;
            };
            data.extend(more);
            for slot in slots {
                if !given.slots.contains(slot) && reached.slots.insert(*slot) {
                    let function = self.bound.slots.get(slot);
                    functions.push(
                        *function
                            .with_context(|| format!("slot {slot} is empty in the bound file"))?,
                    );
                }
            }
        }
    }

    /// Data and slots are where the linked file has them.
    fn check(&self) -> Result<()> {
        let bound = self.bound.image();
        for (form, image) in [("bound", &bound), ("optimised", &self.image)] {
            for symbol in &self.linked.symbols {
                let range = symbol.at as usize..(symbol.at + symbol.size) as usize;
                let [old, new] =
                    [&self.linked.image, image].map(|image| Bytes(image, range.clone()));
                ensure!(
                    old.same(&new),
                    "the {form} file has other data at {}",
                    symbol.at
                );
            }
        }
        for (slot, name) in &self.linked.slots {
            let function = self.bound.slots.get(slot);
            let function =
                function.with_context(|| format!("slot {slot} is empty in the bound file"))?;
            let found = self.names.get(*function as usize).copied().flatten();
            // What the compiler writes for a cast is a function of the glue from then on.
            let is_imported = self.bound.function(*function)?.import.is_some();
            ensure!(
                is_imported || found == Some(*name),
                "slot {slot} has `{name}` in the linked file and `{}` in the bound file",
                found.unwrap_or("a function without a name")
            );
        }
        Ok(())
    }
}

impl Reached {
    fn of_both(&self, other: &Reached) -> Reached {
        Reached {
            data: &self.data & &other.data,
            slots: &self.slots & &other.slots,
            functions: &self.functions & &other.functions,
        }
    }
}

/// A range of an image, beyond whose end all is zero.
struct Bytes<'i>(&'i [u8], std::ops::Range<usize>);

impl Bytes<'_> {
    fn same(&self, other: &Self) -> bool {
        self.1.clone().all(|at| {
            let [this, that] = [self.0, other.0].map(|image| image.get(at).copied().unwrap_or(0));
            this == that
        })
    }
}

/// The name in the linked file of each function of the bound file; none for those that are imported or that wasm-bindgen made.
fn names<'a>(linked: &Linked<'a>, bound: &Module<'a>) -> Result<Vec<Option<&'a str>>> {
    let mut exported = HashMap::new();
    for name in linked.functions.keys() {
        if let Some(plain) = without_hash(name) {
            exported.insert(plain, *name);
        }
    }
    let mut names = Vec::new();
    for (index, function) in bound.functions.iter().enumerate() {
        let name = function.name.unwrap_or_default();
        let known = linked.functions.get_key_value(name).map(|(name, _)| *name);
        let known = known.or_else(|| exported.get(name).copied());
        // What wasm-bindgen makes names no data and no slots: adapters, and its own functions in place of imports.
        let is_made = name.ends_with(" shim") || linked.imports.contains(name);
        if known.is_none() && function.import.is_none() && !is_made {
            bail!(
                "the bound file's function {index}, `{name}`, is not in the linked file by that name"
            );
        }
        names.push(known.filter(|_| function.import.is_none()));
    }
    Ok(names)
}

/// The name of an export as wasm-bindgen gives it to JavaScript: the compiler's ends in a hash.
fn without_hash(name: &str) -> Option<&str> {
    let (plain, hash) = name.rsplit_once('_')?;
    let is_hash =
        (14..=16).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then_some(plain)
}
