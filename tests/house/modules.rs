//! Which file of the crate a path leads to, by the folders and through re-exports. Must not live here: rules.
use std::collections::BTreeMap;

use crate::code::{Import, Named, paths};
use crate::sources::Source;

/// The modules of the crate by their path, such as `api::error`; the path of the crate itself is empty.
pub struct Modules {
    files: BTreeMap<String, Vec<File>>,
}

pub struct File {
    pub path: String,
    pub named: Vec<Named>,
}

impl Modules {
    pub fn of(sources: &[Source]) -> Modules {
        let renamed = renamed(sources);
        let mut files: BTreeMap<String, Vec<File>> = BTreeMap::new();
        for source in sources {
            let path = source.path.clone();
            let module = module_of(renamed.get(&path).unwrap_or(&path));
            let named = paths(source);
            files.entry(module).or_default().push(File { path, named });
        }
        Modules { files }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &File)> {
        self.files
            .iter()
            .flat_map(|(module, files)| files.iter().map(move |file| (module.as_str(), file)))
    }

    /// The files of a module: one, or one for each platform.
    pub fn files(&self, module: &str) -> &[File] {
        self.files.get(module).map_or(&[], Vec::as_slice)
    }

    /// The module that a path in `file` of `module` leads to; nothing for a path outside the crate.
    pub fn find(&self, module: &str, file: &File, path: &[String]) -> Option<String> {
        self.follow(module, file, path, 0)
    }

    fn follow(&self, module: &str, file: &File, path: &[String], steps: usize) -> Option<String> {
        let (first, rest) = path.split_first()?;
        let stem = match first.as_str() {
            "crate" => String::new(),
            "self" => module.to_owned(),
            "super" => parent(module),
            name if self.files.contains_key(&join(module, name)) => join(module, name),
            name => {
                let handed = import(file, |import| import.name == name)?;
                if steps > 8 || handed.path.first() == Some(first) {
                    return None;
                }
                let path: Vec<String> = handed.path.iter().chain(rest).cloned().collect();
                return self.follow(module, file, &path, steps + 1);
            }
        };
        self.descend(stem, rest, steps)
    }

    /// Follows a path on from a module: to a module inside, or to the source of a re-export.
    fn descend(&self, mut module: String, path: &[String], steps: usize) -> Option<String> {
        for (at, name) in path.iter().enumerate() {
            if name == "super" {
                module = parent(&module);
                continue;
            }
            let inner = join(&module, name);
            if self.files.contains_key(&inner) {
                module = inner;
                continue;
            }
            for file in self.files(&module) {
                if import(file, |import| import.name == *name).is_some() {
                    return self.follow(&module, file, path.get(at..)?, steps + 1);
                }
            }
            break;
        }
        self.files.contains_key(&module).then_some(module)
    }
}

fn import(file: &File, fits: impl Fn(&Import) -> bool) -> Option<&Named> {
    let mut named = file.named.iter();
    named.find(|named| named.import.as_ref().is_some_and(&fits))
}

fn join(module: &str, name: &str) -> String {
    match module {
        "" => name.to_owned(),
        module => format!("{module}::{name}"),
    }
}

fn parent(module: &str) -> String {
    module
        .rsplit_once("::")
        .map_or("", |(stem, _)| stem)
        .to_owned()
}

/// `src/api/error.rs` is `api::error`, `src/api/mod.rs` is `api`.
fn module_of(path: &str) -> String {
    let path = path.split_once("src/").map_or(path, |(_, inside)| inside);
    let path = path.trim_end_matches(".rs");
    match path.strip_suffix("/mod").unwrap_or(path) {
        "lib" | "main" => String::new(),
        path => path.replace('/', "::"),
    }
}

/// Files that are a module of another name, by `#[path = "…"]`, with the path that the name would have.
fn renamed(sources: &[Source]) -> BTreeMap<String, String> {
    let mut renamed = BTreeMap::new();
    for source in sources {
        let folder = source.path.trim_end_matches("mod.rs");
        for (line, next) in source.text.lines().zip(source.text.lines().skip(1)) {
            let file = line.strip_prefix("#[path = \"");
            let file = file.and_then(|rest| rest.strip_suffix("\"]"));
            let module = next.split("mod ").nth(1);
            if let (Some(file), Some(module)) = (file, module) {
                let module = module.trim_end_matches(';');
                renamed.insert(format!("{folder}{file}"), format!("{folder}{module}.rs"));
            }
        }
    }
    renamed
}
