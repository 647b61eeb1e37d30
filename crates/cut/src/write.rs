//! Writes a module with a part of another: with some of its functions, slots, data and exports, each where it was.
//! Must not live here: which.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::{Context, Result, anyhow, bail};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, EntityType, ExportKind,
    ExportSection, FunctionSection, GlobalSection, ImportSection, MemorySection, Module as Encoded,
    TableSection, TypeSection,
};
use wasmparser::ExternalKind;

use crate::module::Module;

/// As many zeros between two pieces of data are written rather than a second place.
const NEAR: usize = 8;

/// Beside what else a module runs.
#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    /// Beside none.
    Alone,
    /// Another may be added: it exports its table, its stack and functions for that.
    Host,
    /// In the memory, the table and on the stack of another, which it imports with functions of it.
    Added,
}

/// The module that an added one imports these from.
const HOST: &str = "host";
const MEMORY: &str = "memory";
const TABLE: &str = "slots";
const STACK: &str = "stack";

/// How a module is joined with others.
pub struct Written<'a> {
    pub shape: Shape,
    /// The module that the functions of the glue are imported from.
    pub glue: &'a str,
    pub exports: &'a BTreeSet<&'a str>,
    /// The functions of a host that an added one calls.
    pub lent: &'a BTreeSet<u32>,
}

/// What is to be written.
pub struct Part<'a> {
    pub written: Written<'a>,
    pub functions: &'a BTreeSet<u32>,
    pub slots: &'a BTreeMap<u32, u32>,
    /// Where data is that is needed, as ranges of the memory.
    pub data: Vec<(usize, usize)>,
}

/// The name under which a host exports a function for an added one.
fn lent_name(place: usize) -> String {
    format!("f{place}")
}

pub fn write(module: &Module<'_>, image: &[u8], part: &Part<'_>) -> Result<Vec<u8>> {
    let mut indices = Indices::default();
    let written = &part.written;
    if written.shape != Shape::Alone {
        indices.global(stack(module)?);
    }
    let is_added = written.shape == Shape::Added;
    let (mut imports, mut functions) = (ImportSection::new(), FunctionSection::new());
    let mut code = CodeSection::new();
    // What is imported comes first, wherever its index was.
    for &index in part.functions {
        let function = module.function(index)?;
        if let Some((_, name)) = function.import {
            let ty = EntityType::Function(indices.ty(function.ty));
            imports.import(written.glue, name, ty);
            indices.add_function(index)?;
        }
    }
    for (place, &index) in written.lent.iter().enumerate().filter(|_| is_added) {
        let ty = EntityType::Function(indices.ty(module.function(index)?.ty));
        imports.import(HOST, &lent_name(place), ty);
        indices.add_function(index)?;
    }
    for &index in part.functions {
        if module.function(index)?.import.is_none() {
            indices.add_function(index)?;
        }
    }
    for &index in part.functions {
        let function = module.function(index)?;
        if let Some(body) = &function.body {
            let ty = indices.ty(function.ty);
            functions.function(ty);
            let written = indices.parse_function_body(&mut code, body.clone());
            written.map_err(|error| anyhow!("function {index}: {error}"))?;
        }
    }
    let exports = exports(module, part, &mut indices)?;
    let mut globals = GlobalSection::new();
    for &global in indices.globals.iter().skip(usize::from(is_added)) {
        let found = module.globals.get(global as usize).cloned();
        let found = found.with_context(|| format!("there is no global {global}"))?;
        wasm_encoder::reencode::utils::parse_global(&mut Same, &mut globals, found)?;
    }
    let mut types = TypeSection::new();
    for &ty in &indices.types {
        let found = module.types.get(ty as usize).cloned();
        types
            .ty()
            .func_type(&Same.func_type(found.with_context(|| format!("there is no type {ty}"))?)?);
    }
    let (mut tables, mut memories) = (TableSection::new(), MemorySection::new());
    if is_added {
        import_places(module, &mut imports)?;
    } else {
        for &table in &module.tables {
            tables.table(Same.table_type(table)?);
        }
        if let Some(memory) = module.memory {
            memories.memory(Same.memory_type(memory)?);
        }
    }
    let elements = elements(part, &indices)?;
    let data = data(image, part)?;

    let mut written = Encoded::new();
    written
        .section(&types)
        .section(&imports)
        .section(&functions);
    if !is_added {
        written.section(&tables).section(&memories);
    }
    if !globals.is_empty() {
        written.section(&globals);
    }
    if !exports.is_empty() {
        written.section(&exports);
    }
    if !elements.is_empty() {
        written.section(&elements);
    }
    written.section(&code);
    if !data.is_empty() {
        written.section(&data);
    }
    Ok(written.finish())
}

/// The one global that code changes: the top of the stack.
fn stack(module: &Module<'_>) -> Result<u32> {
    let mut found = (0..)
        .zip(&module.globals)
        .filter(|(_, global)| global.ty.mutable);
    let (Some((stack, _)), None) = (found.next(), found.next()) else {
        bail!("the stack is the one global that changes, and there is not one");
    };
    Ok(stack)
}

/// Imports the memory, the table and the stack of the host.
fn import_places(module: &Module<'_>, imports: &mut ImportSection) -> Result<()> {
    let memory = module.memory.context("there is no memory")?;
    imports.import(HOST, MEMORY, Same.memory_type(memory)?);
    let table = module.tables.first().context("there is no table")?;
    imports.import(HOST, TABLE, Same.table_type(*table)?);
    let stack = module.globals.get(stack(module)? as usize);
    let stack = stack.context("there is no stack")?.ty;
    imports.import(HOST, STACK, Same.global_type(stack)?);
    Ok(())
}

fn exports(module: &Module<'_>, part: &Part<'_>, indices: &mut Indices) -> Result<ExportSection> {
    let mut exports = ExportSection::new();
    for export in module
        .exports
        .iter()
        .filter(|each| part.written.exports.contains(each.name))
    {
        let index = match export.kind {
            ExternalKind::Func => indices.function(export.index)?,
            ExternalKind::Global => indices.global(export.index),
            _ => export.index,
        };
        exports.export(export.name, Same.export_kind(export.kind)?, index);
    }
    if part.written.shape == Shape::Host {
        exports.export(TABLE, ExportKind::Table, 0);
        exports.export(STACK, ExportKind::Global, indices.global(stack(module)?));
        for (place, &index) in part.written.lent.iter().enumerate() {
            let index = indices.function(index)?;
            exports.export(&lent_name(place), ExportKind::Func, index);
        }
    }
    Ok(exports)
}

/// The functions in slots one behind the other, each run at its place.
fn elements(part: &Part<'_>, indices: &Indices) -> Result<ElementSection> {
    let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
    for (&slot, &function) in part.slots {
        let function = indices.function(function)?;
        match runs.last_mut() {
            Some((first, run)) if *first as usize + run.len() == slot as usize => {
                run.push(function)
            }
            _ => runs.push((slot, vec![function])),
        }
    }
    let mut elements = ElementSection::new();
    for (first, run) in runs {
        let offset = ConstExpr::i32_const(first.cast_signed());
        elements.active(None, &offset, Elements::Functions(run.into()));
    }
    Ok(elements)
}

/// The data at its places, without that which is zero.
fn data(image: &[u8], part: &Part<'_>) -> Result<DataSection> {
    // What is between two pieces of an added file, its host may have.
    let near = if part.written.shape == Shape::Added {
        0
    } else {
        NEAR
    };
    let mut data = DataSection::new();
    for (start, bytes) in pieces(image, &part.data, near) {
        let offset = ConstExpr::i32_const(u32::try_from(start)?.cast_signed());
        data.active(0, &offset, bytes);
    }
    Ok(data)
}

/// The bytes of these ranges, each piece at its place. Up to `near` zeros join two that are not one: what the image has
/// between them may be what the file must not have.
fn pieces(image: &[u8], needed: &[(usize, usize)], near: usize) -> Vec<(usize, Vec<u8>)> {
    let mut needed = needed.to_vec();
    needed.sort_unstable();
    let mut pieces: Vec<(usize, Vec<u8>)> = Vec::new();
    for (start, end) in needed {
        let bytes = image.get(start..end.min(image.len())).unwrap_or_default();
        if bytes.iter().all(|byte| *byte == 0) {
            continue;
        }
        match pieces.last_mut() {
            Some((first, piece)) if start <= *first + piece.len() + near => {
                let at = start - *first;
                piece.resize(piece.len().max(at), 0);
                // What two ranges share is there already.
                piece.extend(bytes.iter().skip(piece.len() - at));
            }
            _ => pieces.push((start, bytes.to_vec())),
        }
    }
    pieces
}

/// The new indices; those of types and globals are given as they are met.
#[derive(Default)]
struct Indices {
    functions: HashMap<u32, u32>,
    types: Vec<u32>,
    globals: Vec<u32>,
}

impl Indices {
    fn function(&self, index: u32) -> Result<u32> {
        let found = self.functions.get(&index).copied();
        found.with_context(|| format!("function {index} is needed and was not reached"))
    }

    fn add_function(&mut self, index: u32) -> Result<()> {
        let next = u32::try_from(self.functions.len())?;
        self.functions.insert(index, next);
        Ok(())
    }

    fn ty(&mut self, index: u32) -> u32 {
        place(&mut self.types, index)
    }

    fn global(&mut self, index: u32) -> u32 {
        place(&mut self.globals, index)
    }
}

/// The place of a value in a list, at whose end it is put if need be.
fn place(list: &mut Vec<u32>, value: u32) -> u32 {
    let at = list
        .iter()
        .position(|each| *each == value)
        .unwrap_or_else(|| {
            list.push(value);
            list.len() - 1
        });
    at as u32
}

impl Reencode for Indices {
    type Error = anyhow::Error;

    fn function_index(&mut self, index: u32) -> Result<u32, Error<anyhow::Error>> {
        self.function(index).map_err(Error::UserError)
    }

    fn type_index(&mut self, index: u32) -> Result<u32, Error<anyhow::Error>> {
        Ok(self.ty(index))
    }

    fn global_index(&mut self, index: u32) -> Result<u32, Error<anyhow::Error>> {
        Ok(self.global(index))
    }
}

/// What is written as it was read.
struct Same;

impl Reencode for Same {
    type Error = std::convert::Infallible;
}

#[cfg(test)]
mod tests {
    use super::pieces;

    const IMAGE: &[u8] = b"one, two.";

    #[test]
    fn what_is_between_two_pieces_is_not_written() {
        let needed = [(5, 8), (0, 3)];
        let joined = vec![(0, b"one\0\0two".to_vec())];
        assert_eq!(pieces(IMAGE, &needed, 2), joined);
        let apart = vec![(0, b"one".to_vec()), (5, b"two".to_vec())];
        assert_eq!(pieces(IMAGE, &needed, 1), apart);
    }

    #[test]
    fn ranges_that_share_bytes_are_one_piece() {
        let shared = [(0, 6), (2, 4), (5, 8), (8, 9)];
        assert_eq!(pieces(IMAGE, &shared, 0), [(0, IMAGE.to_vec())]);
    }
}
