//! Where things are: the repository, the user's cache, programs on `PATH`; and which file is newer than which.
//! Must not live here: running or writing anything.

use std::env;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

/// The folder of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Where installed tools are kept, so that a `cargo clean` does not lose them: `$XDG_CACHE_HOME` or `~/.cache`.
pub fn cache() -> Result<PathBuf> {
    let base = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    let base = base.or_else(|| {
        env::home_dir()
            .filter(|home| home.is_absolute())
            .map(|home| home.join(".cache"))
    });
    Ok(base
        .context("no place for tools: set HOME or XDG_CACHE_HOME to an absolute path")?
        .join("tailnet-kit"))
}

/// Where cargo or rustup keeps its files: the folder that the variable names, else the one of that name in the user's home.
pub fn tool_home(variable: &str, folder: &str) -> Option<PathBuf> {
    env::var_os(variable)
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(folder)))
}

/// `PATH` with `folders` before everything else, in that order.
pub fn search_path(folders: &[PathBuf]) -> Result<std::ffi::OsString> {
    let inherited = env::var_os("PATH").unwrap_or_default();
    env::join_paths(folders.iter().cloned().chain(env::split_paths(&inherited)))
        .context("a folder name holds a `:`")
}

/// The first program of that name on `PATH`.
pub fn on_path(program: &str) -> Option<PathBuf> {
    let inherited = env::var_os("PATH")?;
    env::split_paths(&inherited)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

/// Whether `output` is there and no older than anything in `inputs`. A folder counts with all it holds and with its own
/// time, which changes when a file is removed.
pub fn up_to_date(output: &Path, inputs: &[PathBuf]) -> bool {
    let Some(built) = modified(output) else {
        return false;
    };
    inputs
        .iter()
        .all(|input| newest(input).is_none_or(|time| time <= built))
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|data| data.modified()).ok()
}

fn newest(path: &Path) -> Option<SystemTime> {
    let inside = path
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| newest(&entry.path()));
    inside.chain(modified(path)).max()
}
