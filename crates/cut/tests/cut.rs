//! Cuts a small kit of two exports: `alpha` calls the glue and reads a text, `beta` calls through a table of methods, whose one method
//! reads another text. Must not live here: the package's own files, which the tests of the package run.

use cut::{Apart, Cut, Kit};
use wasm_encoder::{
    CodeSection, ConstExpr, CustomSection, DataSection, DataSymbolDefinition, ElementSection,
    Elements, EntityType, ExportKind, ExportSection, Function, FunctionSection, GlobalSection,
    GlobalType, ImportSection, LinkingSection, MemArg, MemorySection, MemoryType, Module, NameMap,
    NameSection, RefType, SymbolTable, TableSection, TableType, TypeSection, ValType,
};
use wasmparser::{DataKind, ElementItems, Operator, Parser, Payload, Validator};

const TEXT: &[u8; 16] = b"a text for alpha";
const OTHER: &[u8; 8] = b"for beta";
/// Where the texts and the table of methods are.
const TEXT_AT: i32 = 1024;
const METHODS_AT: i32 = 1040;
const OTHER_AT: i32 = 1048;

const GLUE: &str = "\
/**
 * Not beta.
 */
export function alpha() {
    return wasm.alpha() + cached.length;
}

export function beta() {
    return wasm.beta();
}
export function __wbg_called() {
    wasm.helped();
}
let cached = '';
cached.trim();
function helped() {
}
const unused = 1;
let wasm;
export function __wbg_set_wasm(val) {
    wasm = val;
}
";

/// What differs between the forms of the file.
struct Form {
    method: &'static str,
    has_relocations: bool,
    other: &'static [u8; 8],
    segment: &'static str,
    /// Whether the text for `alpha` has the address of that for `beta`, with the methods between them.
    text_names_other: bool,
    /// Whether the method calls the function that the glue calls for `alpha`.
    method_calls: bool,
}

const FORM: Form = Form {
    method: "method",
    has_relocations: true,
    other: OTHER,
    segment: ".rodata",
    text_names_other: false,
    method_calls: false,
};

/// Whose text for `alpha` needs that for `beta`.
const JOINED: Form = Form {
    text_names_other: true,
    ..FORM
};

/// Whose method calls what `alpha` needs, too.
const CALLING: Form = Form {
    method_calls: true,
    ..FORM
};

fn file(form: &Form) -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([], [ValType::I32]);
    types.ty().function([], []);
    let mut imports = ImportSection::new();
    imports.import("./kit_bg.js", "__wbg_called", EntityType::Function(1));
    let mut functions = FunctionSection::new();
    for ty in [0, 0, 0, 1, 1] {
        functions.function(ty);
    }
    let (mut tables, mut memories) = (TableSection::new(), MemorySection::new());
    tables.table(TableType {
        element_type: RefType::FUNCREF,
        table64: false,
        minimum: 2,
        maximum: None,
        shared: false,
    });
    memories.memory(MemoryType {
        minimum: 1,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut globals = GlobalSection::new();
    let stack = GlobalType {
        val_type: ValType::I32,
        mutable: true,
        shared: false,
    };
    globals.global(stack, &ConstExpr::i32_const(TEXT_AT));
    let mut exports = ExportSection::new();
    exports.export("memory", ExportKind::Memory, 0);
    for (index, name) in [
        (1, "alpha"),
        (2, "beta"),
        (4, "__wbindgen_start"),
        (5, "helped"),
    ] {
        exports.export(name, ExportKind::Func, index);
    }
    let mut elements = ElementSection::new();
    let methods = Elements::Functions(vec![3].into());
    elements.active(None, &ConstExpr::i32_const(1), methods);

    let at = |offset| MemArg {
        offset,
        align: 2,
        memory_index: 0,
    };
    let mut bodies = [(); 5].map(|()| Function::new([]));
    let [alpha, beta, method, start, helped] = &mut bodies;
    alpha.instructions().call(0).i32_const(TEXT_AT).end();
    let mut beta = beta.instructions();
    beta.i32_const(METHODS_AT)
        .i32_load(at(0))
        .call_indirect(0, 0)
        .end();
    let mut method = method.instructions();
    if form.method_calls {
        method.call(5);
    }
    method.i32_const(OTHER_AT).end();
    start.instructions().end();
    helped.instructions().end();
    let mut starts = Vec::new();
    let mut code = CodeSection::new();
    let mut next = 1;
    for body in &bodies {
        starts.push(next + 1);
        next += 1 + body.byte_len();
        code.function(body);
    }
    let mut data = DataSection::new();
    let bytes = [&TEXT[..], &[1, 0, 0, 0, 0, 0, 0, 0], &form.other[..]].concat();
    data.active(0, &ConstExpr::i32_const(TEXT_AT), bytes);

    let mut names = NameSection::new();
    let mut map = NameMap::new();
    let all = [
        "__wbg_called",
        "alpha_0123456789abcdef",
        "beta",
        form.method,
        "__wbindgen_start",
        "helped",
    ];
    for (index, name) in (0..).zip(all) {
        map.append(index, name);
    }
    names.functions(&map);
    let mut map = NameMap::new();
    map.append(0, form.segment);
    names.data(&map);

    let mut written = Module::new();
    written
        .section(&types)
        .section(&imports)
        .section(&functions);
    written
        .section(&tables)
        .section(&memories)
        .section(&globals)
        .section(&exports);
    written.section(&elements).section(&code).section(&data);
    if form.has_relocations {
        let mut symbols = SymbolTable::new();
        for (name, offset, size) in [("text", 0, 16), ("methods", 16, 4), ("other", 24, 8)] {
            symbols.data(
                0,
                name,
                Some(DataSymbolDefinition {
                    index: 0,
                    offset,
                    size,
                }),
            );
        }
        symbols.function(0, 3, Some("method"));
        let mut linking = LinkingSection::new();
        linking.symbol_table(&symbols);
        written.section(&linking);
        // An address in the code, of each symbol in its function; an index of the table in the data.
        let [alpha, beta, method] = [starts[0], starts[1], starts[2]];
        let code = [(4, alpha, 0), (4, beta, 1), (4, method, 2)];
        relocations(&mut written, "reloc.CODE", 7, &code);
        let data = [(2, 7 + 16, 3), (5, 7, 2)];
        let data = data.split_at(1 + usize::from(form.text_names_other)).0;
        relocations(&mut written, "reloc.DATA", 8, data);
    }
    written.section(&names);
    written.finish()
}

/// Each with its type, its place in the section, and its symbol.
fn relocations(written: &mut Module, name: &str, section: u8, entries: &[(u8, usize, u8)]) {
    let mut bytes = vec![section, u8::try_from(entries.len()).unwrap()];
    for &(ty, offset, symbol) in entries {
        bytes.extend([ty, u8::try_from(offset + 1).unwrap(), symbol]);
        bytes.extend(matches!(ty, 4 | 5).then_some(0));
    }
    let data = bytes.into();
    written.section(&CustomSection {
        name: name.into(),
        data,
    });
}

fn cut(export: &str) -> Cut {
    let file = file(&FORM);
    let kit = Kit::read(&file, &file, &file, GLUE).unwrap();
    let cut = kit.cut("part", &[export]).unwrap();
    Validator::new().validate_all(&cut.wasm).unwrap();
    cut
}

/// Why these forms of the file cannot be cut.
fn refused(linked: &Form, bound: &Form, optimised: &Form) -> String {
    let [linked, bound, optimised] = [linked, bound, optimised].map(file);
    let refused = Kit::read(&linked, &bound, &optimised, GLUE);
    format!("{:#}", refused.err().unwrap())
}

/// What a module has: its imports, exports, number of functions, filled slots and data, each with its place.
#[derive(Debug, Default, PartialEq)]
struct Contents {
    imports: Vec<String>,
    exports: Vec<String>,
    functions: usize,
    slots: Vec<(i32, usize)>,
    data: Vec<(i32, Vec<u8>)>,
}

fn contents(wasm: &[u8]) -> Contents {
    let mut found = Contents::default();
    let number = |expression: &wasmparser::ConstExpr<'_>| match expression
        .get_operators_reader()
        .read()
        .unwrap()
    {
        Operator::I32Const { value } => value,
        other => panic!("{other:?}"),
    };
    for payload in Parser::new(0).parse_all(wasm) {
        match payload.unwrap() {
            Payload::ImportSection(section) => {
                let imports = section.into_imports().map(Result::unwrap);
                found
                    .imports
                    .extend(imports.map(|each| format!("{} {}", each.module, each.name)));
            }
            Payload::ExportSection(section) => {
                let exports = section.into_iter().map(Result::unwrap);
                found
                    .exports
                    .extend(exports.map(|each| each.name.to_owned()));
            }
            Payload::FunctionSection(section) => found.functions = section.count() as usize,
            Payload::ElementSection(section) => {
                for element in section {
                    let element = element.unwrap();
                    let (
                        wasmparser::ElementKind::Active { offset_expr, .. },
                        ElementItems::Functions(list),
                    ) = (element.kind, element.items)
                    else {
                        panic!("slots of another kind");
                    };
                    found
                        .slots
                        .push((number(&offset_expr), list.count() as usize));
                }
            }
            Payload::DataSection(section) => {
                for data in section {
                    let data = data.unwrap();
                    let DataKind::Active { offset_expr, .. } = data.kind else {
                        panic!("data of another kind");
                    };
                    found.data.push((number(&offset_expr), data.data.to_vec()));
                }
            }
            _ => {}
        }
    }
    found
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|each| (*each).to_owned()).collect()
}

#[test]
fn a_part_has_the_code_and_the_data_that_its_export_reaches() {
    let expected = Contents {
        imports: strings(&["./part_bg.js __wbg_called"]),
        // What it imports calls `helped`.
        exports: strings(&["memory", "alpha", "__wbindgen_start", "helped"]),
        functions: 3,
        slots: vec![],
        data: vec![(TEXT_AT, TEXT.to_vec())],
    };
    assert_eq!(contents(&cut("alpha").wasm), expected);
}

#[test]
fn a_table_of_methods_brings_them_with_their_data_each_at_its_place() {
    let methods = [&[1, 0, 0, 0, 0, 0, 0, 0], &OTHER[..]].concat();
    let expected = Contents {
        imports: vec![],
        exports: strings(&["memory", "beta", "__wbindgen_start"]),
        functions: 3,
        slots: vec![(1, 1)],
        data: vec![(METHODS_AT, methods)],
    };
    assert_eq!(contents(&cut("beta").wasm), expected);
}

#[test]
fn the_glue_has_the_statements_that_the_part_needs_in_their_order() {
    let expected = "\
export function alpha() {
    return wasm.alpha() + cached.length;
}

export function __wbg_called() {
    wasm.helped();
}
let cached = '';
cached.trim();
function helped() {
}
let wasm;
export function __wbg_set_wasm(val) {
    wasm = val;
}
";
    assert_eq!(cut("alpha").glue, expected);
    let beta = cut("beta").glue;
    assert!(beta.starts_with("export function beta()"), "{beta}");
    assert!(
        !beta.contains("cached") && !beta.contains("__wbg_called"),
        "{beta}"
    );
}

#[test]
fn a_function_whose_name_changed_is_an_error() {
    let renamed = Form {
        method: "another",
        ..FORM
    };
    assert_eq!(
        refused(&FORM, &renamed, &FORM),
        "the bound file's function 3, `another`, is not in the linked file by that name"
    );
}

#[test]
fn a_file_without_relocations_is_an_error() {
    let stripped = Form {
        has_relocations: false,
        ..FORM
    };
    assert_eq!(
        refused(&stripped, &FORM, &FORM),
        "the linked file: the linked file has no relocations: link it with `--emit-relocs` and strip nothing"
    );
}

#[test]
fn data_that_was_moved_is_an_error() {
    let moved = Form {
        other: b"not beta",
        ..FORM
    };
    assert_eq!(
        refused(&FORM, &FORM, &moved),
        "the optimised file has other data at 1048"
    );
}

#[test]
fn an_export_that_is_not_there_is_an_error() {
    let file = file(&FORM);
    let kit = Kit::read(&file, &file, &file, GLUE).unwrap();
    let refused = kit.cut("part", &["gamma"]).err().unwrap();
    assert_eq!(refused.to_string(), "the linked file exports no `gamma`");
    assert_eq!(kit.exports().collect::<Vec<_>>(), ["alpha", "beta"]);
}

/// The methods of `beta`, which it leaves to an added file.
const METHODS: Apart<'_> = Apart("methods");

/// Files by their exports without the methods, and what is added to them.
fn cut_apart(form: &Form, hosts: &[&[&str]]) -> Result<(Vec<Contents>, Contents), String> {
    let file = file(form);
    let kit = Kit::read(&file, &file, &file, GLUE).unwrap();
    let named = hosts.iter().map(|exports| ("part", exports.to_vec()));
    let cut = kit.cut_apart(METHODS, &named.collect::<Vec<_>>());
    let (hosts, added) = cut.map_err(|error| error.to_string())?;
    let all = hosts.iter().map(|host| &host.wasm).chain([&added]);
    all.for_each(|wasm| drop(Validator::new().validate_all(wasm).unwrap()));
    let hosts = hosts.iter().map(|host| contents(&host.wasm)).collect();
    Ok((hosts, contents(&added)))
}

#[test]
fn what_a_file_leaves_to_an_added_one_is_there_alone() {
    let (hosts, added) = cut_apart(&FORM, &[&["beta"]]).unwrap();
    let expected = Contents {
        exports: strings(&["memory", "beta", "__wbindgen_start", "slots", "stack"]),
        functions: 2,
        ..Contents::default()
    };
    assert_eq!(hosts, [expected]);
    let expected = Contents {
        imports: strings(&["host memory", "host slots", "host stack"]),
        functions: 1,
        slots: vec![(1, 1)],
        // Two pieces: what is between them belongs to the host.
        data: vec![(METHODS_AT, vec![1, 0, 0, 0]), (OTHER_AT, OTHER.to_vec())],
        ..Contents::default()
    };
    assert_eq!(added, expected);
}

#[test]
fn what_a_file_leaves_is_not_there_between_two_things_that_it_has() {
    let (hosts, _) = cut_apart(&JOINED, &[&["alpha", "beta"]]).unwrap();
    let expected = [&TEXT[..], &[0; 8], &OTHER[..]].concat();
    assert_eq!(hosts[0].data, [(TEXT_AT, expected)]);
}

#[test]
fn data_that_each_host_has_is_not_added() {
    let of = |hosts: &[&[&str]]| cut_apart(&JOINED, hosts).unwrap().1.data.len();
    assert_eq!(of(&[&["alpha"], &["alpha", "beta"]]), 1);
    assert_eq!(of(&[&["alpha"], &["beta"]]), 2);
}

#[test]
fn a_function_that_each_host_has_is_called_there() {
    let (hosts, added) = cut_apart(&CALLING, &[&["alpha"], &["alpha", "beta"]]).unwrap();
    for host in &hosts {
        assert_eq!(host.exports.last().unwrap(), "f0", "{:?}", host.exports);
    }
    let imports = ["host f0", "host memory", "host slots", "host stack"];
    assert_eq!((added.imports, added.functions), (strings(&imports), 1));
    // `beta` alone does not call it.
    let (hosts, added) = cut_apart(&CALLING, &[&["alpha"], &["beta"]]).unwrap();
    let exported = hosts.iter().flat_map(|host| &host.exports);
    assert_eq!(exported.filter(|name| *name == "f0").count(), 0);
    assert_eq!((added.imports.len(), added.functions), (3, 2));
}

#[test]
fn to_add_what_may_have_changed_is_an_error() {
    let state = Form {
        segment: ".data",
        ..FORM
    };
    assert_eq!(
        cut_apart(&state, &[&["beta"]]).err().unwrap(),
        "to add `methods` would reset it where it is already"
    );
}
