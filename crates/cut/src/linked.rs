//! What the linked file says of itself: which data and which slots of the table each function needs, and each piece of data.
//! The file must be linked with `--emit-relocs`, and nothing stripped of it. Must not live here: later forms of the file.

use std::collections::{BTreeSet, HashMap, HashSet};

use anyhow::{Context, Result, bail, ensure};
use wasmparser::{KnownCustom, Linking, RelocationType, SymbolInfo};

use crate::module::Module;

/// Data and slots that something names.
#[derive(Default)]
pub struct Needs {
    /// Indices in [`Linked::symbols`].
    pub data: BTreeSet<usize>,
    pub slots: BTreeSet<u32>,
}

/// A piece of data, which is needed as a whole or not at all.
pub struct Symbol<'a> {
    pub name: &'a str,
    /// Whether it may change while the file runs.
    pub is_state: bool,
    pub at: u32,
    pub size: u32,
    pub needs: Needs,
}

/// The linked file.
pub struct Linked<'a> {
    /// By the function's name. Functions of the same name count as one.
    pub functions: HashMap<&'a str, Needs>,
    /// The names of the imported functions.
    pub imports: HashSet<&'a str>,
    pub symbols: Vec<Symbol<'a>>,
    /// The name of the function in each slot.
    pub slots: HashMap<u32, &'a str>,
    pub image: Vec<u8>,
}

/// Places that the linker itself makes: no data is there.
const OF_THE_LINKER: [&str; 8] = [
    "__data_end",
    "__dso_handle",
    "__global_base",
    "__heap_base",
    "__heap_end",
    "__memory_base",
    "__stack_high",
    "__stack_low",
];

/// What a relocation refers to.
#[derive(Clone, Copy)]
enum Meant<'a> {
    Data(usize),
    Function(u32),
    /// Data that is not in the file, by its name.
    Absent(&'a str),
    /// Data that is nothing but zeros at the start, of which a linked file holds nothing.
    Zeros,
    Other,
}

impl<'a> Linked<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        let module = Module::read(bytes)?;
        let (symbols, meant) = symbols(&module)?;
        let name = |index: u32| {
            let name = module.function(index)?.name;
            name.with_context(|| format!("the linked file has no name for function {index}"))
        };
        let mut slots = HashMap::new();
        let mut slot_of = HashMap::new();
        for (&slot, &function) in &module.slots {
            slots.insert(slot, name(function)?);
            slot_of.insert(function, slot);
        }
        let mut linked = Self {
            functions: HashMap::new(),
            imports: HashSet::new(),
            symbols,
            slots,
            image: module.image(),
        };
        let mut code = Places::default();
        for (index, function) in (0..).zip(&module.functions) {
            if let Some(range) = function.range() {
                code.0.push((range.start, range.end, name(index)?));
                linked.functions.entry(name(index)?).or_default();
            } else {
                linked.imports.extend(function.import.map(|(_, name)| name));
                linked.imports.extend(function.name);
            }
        }
        let mut data = Places::of_symbols(&linked.symbols);
        let mut has_relocations = false;
        code.sort();
        data.sort();
        for section in &module.customs {
            let KnownCustom::Reloc(relocations) = section.as_known() else {
                continue;
            };
            let of_code = match section.name() {
                "reloc.CODE" => true,
                "reloc.DATA" => false,
                _ => continue,
            };
            has_relocations = true;
            for entry in relocations.entries() {
                let entry = entry?;
                let Some(slot_or_data) = kind(entry.ty)? else {
                    continue;
                };
                let meant = *meant
                    .get(entry.index as usize)
                    .with_context(|| format!("there is no symbol {}", entry.index))?;
                let offset = entry.offset as usize;
                let needs = if of_code {
                    let function = code.at(module.code + offset);
                    let function = function.with_context(|| {
                        format!("a relocation at {offset}, where no function is")
                    })?;
                    linked.functions.entry(function).or_default()
                } else {
                    let at = module.address(offset)?;
                    let symbol = data.at(at as usize);
                    let symbol = symbol
                        .with_context(|| format!("a relocation at {at}, where no data is"))?;
                    let symbol = linked.symbols.get_mut(symbol);
                    &mut symbol.context("a symbol that is not there")?.needs
                };
                match (slot_or_data, meant) {
                    (Kind::Slot, Meant::Function(function)) => {
                        let slot = slot_of.get(&function);
                        let slot =
                            slot.with_context(|| format!("function {function} has no slot"))?;
                        needs.slots.insert(*slot);
                    }
                    (Kind::Data, Meant::Data(symbol)) => {
                        needs.data.insert(symbol);
                    }
                    (Kind::Data, Meant::Zeros) => {}
                    (Kind::Data, Meant::Absent(name)) => ensure!(
                        OF_THE_LINKER.contains(&name),
                        "the data `{name}` is not in the linked file"
                    ),
                    _ => bail!("a relocation at {offset} means something of another kind"),
                }
            }
        }
        ensure!(
            has_relocations,
            "the linked file has no relocations: link it with `--emit-relocs` and strip nothing"
        );
        Ok(linked)
    }
}

enum Kind {
    Slot,
    Data,
}

/// What a relocation of this type names; nothing for what later forms of the file show themselves, as a call does.
fn kind(ty: RelocationType) -> Result<Option<Kind>> {
    Ok(match ty {
        RelocationType::TableIndexSleb | RelocationType::TableIndexI32 => Some(Kind::Slot),
        RelocationType::MemoryAddrLeb
        | RelocationType::MemoryAddrSleb
        | RelocationType::MemoryAddrI32 => Some(Kind::Data),
        RelocationType::FunctionIndexLeb
        | RelocationType::TypeIndexLeb
        | RelocationType::GlobalIndexLeb
        | RelocationType::TableNumberLeb => None,
        other => bail!("a relocation of the type {other:?}, which the cutter does not know"),
    })
}

/// The data that has a symbol, and what each symbol means.
fn symbols<'a>(module: &Module<'a>) -> Result<(Vec<Symbol<'a>>, Vec<Meant<'a>>)> {
    let (mut symbols, mut meant) = (Vec::new(), Vec::new());
    for section in &module.customs {
        let KnownCustom::Linking(linking) = section.as_known() else {
            continue;
        };
        for part in linking.subsections() {
            let Linking::SymbolTable(table) = part? else {
                continue;
            };
            for info in table {
                meant.push(match info? {
                    SymbolInfo::Func { index, .. } => Meant::Function(index),
                    SymbolInfo::Data {
                        symbol: None, name, ..
                    } => Meant::Absent(name),
                    SymbolInfo::Data {
                        symbol: Some(defined),
                        name,
                        ..
                    } => match module.data.get(defined.index as usize) {
                        None => Meant::Zeros,
                        Some(data) => {
                            symbols.push(Symbol {
                                name,
                                is_state: data.name != Some(".rodata"),
                                at: data.at + defined.offset,
                                size: defined.size,
                                needs: Needs::default(),
                            });
                            Meant::Data(symbols.len() - 1)
                        }
                    },
                    _ => Meant::Other,
                });
            }
        }
    }
    Ok((symbols, meant))
}

/// What is where: ranges that do not overlap.
struct Places<T>(Vec<(usize, usize, T)>);

impl<T> Default for Places<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy> Places<T> {
    fn sort(&mut self) {
        self.0.sort_by_key(|&(start, end, _)| (start, end));
    }

    fn at(&self, offset: usize) -> Option<T> {
        let next = self.0.partition_point(|&(start, ..)| start <= offset);
        let before = self.0.get(..next)?.iter().rev();
        let mut near = before.take(8);
        near.find(|&&(_, end, _)| offset < end)
            .map(|&(.., what)| what)
    }
}

impl Places<usize> {
    fn of_symbols(symbols: &[Symbol<'_>]) -> Self {
        let places = symbols.iter().enumerate().map(|(index, symbol)| {
            let start = symbol.at as usize;
            (start, start + symbol.size as usize, index)
        });
        Self(places.collect())
    }
}
