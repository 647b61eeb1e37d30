//! A wasm module as the cutter sees it: its functions with what they call, its table, its memory at the start.
//! Must not live here: symbols and relocations (`linked.rs`), what is reached (`reach.rs`), writing (`write.rs`).

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use anyhow::{Context, Result, bail, ensure};
use wasmparser::{
    CompositeInnerType, ConstExpr, CustomSectionReader, DataKind, ElementItems, ElementKind,
    Export, ExternalKind, FuncType, FunctionBody, Global, KnownCustom, MemoryType, Name, Operator,
    Parser, Payload, TableType, TypeRef,
};

/// A function that the module imports or has.
pub struct Function<'a> {
    /// The index of its type.
    pub ty: u32,
    /// From which module it is imported, and its name there.
    pub import: Option<(&'a str, &'a str)>,
    pub body: Option<FunctionBody<'a>>,
    pub name: Option<&'a str>,
    /// The functions that it names.
    pub calls: Vec<u32>,
}

/// Bytes that the memory holds at the start.
pub struct Data<'a> {
    /// Where in the memory.
    pub at: u32,
    pub bytes: &'a [u8],
    /// Where in the file.
    pub offset: usize,
    pub name: Option<&'a str>,
}

/// All that is read of a module.
#[derive(Default)]
pub struct Module<'a> {
    pub types: Vec<FuncType>,
    /// The imported functions first.
    pub functions: Vec<Function<'a>>,
    pub tables: Vec<TableType>,
    pub memory: Option<MemoryType>,
    pub globals: Vec<Global<'a>>,
    pub exports: Vec<Export<'a>>,
    pub start: Option<u32>,
    /// The functions of the first table by their slot.
    pub slots: BTreeMap<u32, u32>,
    pub data: Vec<Data<'a>>,
    /// Where the contents of the section with the code and of that with the data begin in the file.
    pub code: usize,
    pub contents: usize,
    pub customs: Vec<CustomSectionReader<'a>>,
}

impl<'a> Module<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        let mut module = Self::default();
        let mut types = Vec::new();
        let mut bodies = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(section) => {
                    for group in section {
                        for ty in group?.into_types() {
                            let CompositeInnerType::Func(ty) = ty.composite_type.inner else {
                                bail!("a type that is not one of a function");
                            };
                            module.types.push(ty);
                        }
                    }
                }
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let import = import?;
                        let TypeRef::Func(ty) = import.ty else {
                            bail!("`{}` is imported, which is not a function", import.name);
                        };
                        let from = Some((import.module, import.name));
                        module.functions.push(Function::new(ty, from));
                    }
                }
                Payload::FunctionSection(section) => {
                    types = section.into_iter().collect::<Result<Vec<u32>, _>>()?
                }
                Payload::TableSection(section) => {
                    for table in section {
                        module.tables.push(table?.ty);
                    }
                }
                Payload::MemorySection(section) => {
                    for memory in section {
                        ensure!(module.memory.is_none(), "a second memory");
                        module.memory = Some(memory?);
                    }
                }
                Payload::GlobalSection(section) => {
                    module.globals = section.into_iter().collect::<Result<_, _>>()?;
                }
                Payload::ExportSection(section) => {
                    module.exports = section.into_iter().collect::<Result<_, _>>()?;
                }
                Payload::StartSection { func, .. } => module.start = Some(func),
                Payload::ElementSection(section) => {
                    for element in section {
                        let element = element?;
                        module.fill_slots(element.kind, element.items)?;
                    }
                }
                Payload::CodeSectionStart { range, .. } => module.code = range.start,
                Payload::CodeSectionEntry(body) => bodies.push(body),
                Payload::DataSection(section) => {
                    module.contents = section.range().start;
                    for data in section {
                        let data = data?;
                        let DataKind::Active { offset_expr, .. } = data.kind else {
                            bail!("data that the code itself copies into the memory");
                        };
                        module.data.push(Data {
                            at: constant(&offset_expr)?,
                            bytes: data.data,
                            offset: data.range.end - data.data.len(),
                            name: None,
                        });
                    }
                }
                Payload::CustomSection(section) => module.customs.push(section),
                _ => {}
            }
        }
        ensure!(types.len() == bodies.len(), "functions without code");
        for (ty, body) in types.into_iter().zip(bodies) {
            let calls = calls(&body)?;
            module.functions.push(Function {
                body: Some(body),
                calls,
                ..Function::new(ty, None)
            });
        }
        module.set_names()?;
        Ok(module)
    }

    /// The function at that index.
    pub fn function(&self, index: u32) -> Result<&Function<'a>> {
        let found = self.functions.get(index as usize);
        found.with_context(|| format!("there is no function {index}"))
    }

    /// The functions that are exported, by their names.
    pub fn exported(&self) -> HashMap<&'a str, u32> {
        let functions = self
            .exports
            .iter()
            .filter(|each| each.kind == ExternalKind::Func);
        functions.map(|each| (each.name, each.index)).collect()
    }

    /// The place in the memory of what is so far into the section with the data.
    pub fn address(&self, offset: usize) -> Result<u32> {
        let at = self.contents + offset;
        let holds = |data: &&Data<'_>| (data.offset..data.offset + data.bytes.len()).contains(&at);
        let data = self.data.iter().find(holds);
        let data = data.with_context(|| format!("a relocation at {offset}, where no data is"))?;
        Ok(data.at + u32::try_from(at - data.offset)?)
    }

    /// The memory at the start, from the first byte on.
    pub fn image(&self) -> Vec<u8> {
        let ends = self
            .data
            .iter()
            .map(|data| data.at as usize + data.bytes.len());
        let mut image = vec![0; ends.max().unwrap_or_default()];
        for data in &self.data {
            let at = data.at as usize;
            if let Some(place) = image.get_mut(at..at + data.bytes.len()) {
                place.copy_from_slice(data.bytes);
            }
        }
        image
    }

    fn fill_slots(&mut self, kind: ElementKind<'a>, items: ElementItems<'a>) -> Result<()> {
        let (table, offset) = match kind {
            ElementKind::Active {
                table_index,
                offset_expr,
            } => (table_index.unwrap_or(0), offset_expr),
            ElementKind::Declared => return Ok(()),
            ElementKind::Passive => bail!("slots that the code itself fills"),
        };
        ensure!(
            table == 0,
            "slots of another table than the first are filled"
        );
        let functions: Vec<u32> = match items {
            ElementItems::Functions(list) => list.into_iter().collect::<Result<_, _>>()?,
            ElementItems::Expressions(_, list) => {
                let functions = list.into_iter().map(|each| named(&each?));
                functions.collect::<Result<_>>()?
            }
        };
        let first = constant(&offset)?;
        self.slots.extend((first..).zip(functions));
        Ok(())
    }

    fn set_names(&mut self) -> Result<()> {
        for section in &self.customs {
            let KnownCustom::Name(names) = section.as_known() else {
                continue;
            };
            for name in names {
                match name? {
                    Name::Function(map) => {
                        for naming in map {
                            let naming = naming?;
                            if let Some(named) = self.functions.get_mut(naming.index as usize) {
                                named.name = Some(naming.name);
                            }
                        }
                    }
                    Name::Data(map) => {
                        for naming in map {
                            let naming = naming?;
                            if let Some(named) = self.data.get_mut(naming.index as usize) {
                                named.name = Some(naming.name);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

impl<'a> Function<'a> {
    const fn new(ty: u32, import: Option<(&'a str, &'a str)>) -> Self {
        Self {
            ty,
            import,
            body: None,
            name: None,
            calls: Vec::new(),
        }
    }

    /// Where its code is in the file.
    pub fn range(&self) -> Option<Range<usize>> {
        self.body.as_ref().map(FunctionBody::range)
    }
}

/// The functions that a body names, each once.
fn calls(body: &FunctionBody<'_>) -> Result<Vec<u32>> {
    let mut found = Vec::new();
    for operator in body.get_operators_reader()? {
        if let Operator::Call { function_index }
        | Operator::ReturnCall { function_index }
        | Operator::RefFunc { function_index } = operator?
        {
            found.push(function_index);
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The number that an expression consists of.
fn constant(expression: &ConstExpr<'_>) -> Result<u32> {
    match expression.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(value.cast_unsigned()),
        other => bail!("a place that is not a plain number: {other:?}"),
    }
}

/// The function that an expression consists of.
fn named(expression: &ConstExpr<'_>) -> Result<u32> {
    match expression.get_operators_reader().read()? {
        Operator::RefFunc { function_index } => Ok(function_index),
        other => bail!("a slot with something else than a function: {other:?}"),
    }
}
