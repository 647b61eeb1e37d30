//! The repository's address. The crate's manifest gives it; every other place is filled from there.
//! Must not live here: what is released.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::{paths, run};

const SOURCE: &str = "Cargo.toml";
/// The files that name the address: manifests, and examples that readers copy.
const PLACES: [&str; 8] = [
    SOURCE,
    "pkg/package.json",
    "editors/vscode/package.json",
    "action/README.md",
    "action/gitlab.yml",
    "action/packed.mjs",
    "docs/guides/ci.md",
    ".github/CODEOWNERS",
];
/// The owner that stands in the address until the real one is filled in.
const NOBODY: &str = "OWNER";

/// An address such as `https://github.com/OWNER/tailnet-kit`.
#[derive(Debug, PartialEq, Eq)]
struct Address<'a> {
    url: &'a str,
    /// `OWNER/tailnet-kit`, as workflows name it.
    slug: &'a str,
}

impl<'a> Address<'a> {
    fn read(url: &'a str) -> Result<Self> {
        let url = url.trim_end_matches('/');
        let path = url.strip_prefix("https://");
        let slug = path.and_then(|path| Some(path.split_once('/')?.1));
        let parts = slug.map_or(0, |slug| {
            slug.split('/').filter(|part| !part.is_empty()).count()
        });
        ensure!(
            parts == 2 && !url.ends_with(".git"),
            "`{url}` is no address of a repository: https://HOST/OWNER/NAME"
        );
        Ok(Self {
            url,
            slug: slug.unwrap_or_default(),
        })
    }

    /// The address that the manifest of the crate gives.
    fn of_manifest(manifest: &'a str) -> Result<Self> {
        let line = manifest
            .lines()
            .find_map(|line| line.strip_prefix("repository = \""));
        Self::read(
            line.and_then(|line| line.strip_suffix('"'))
                .with_context(|| format!("{SOURCE} names no repository"))?,
        )
    }

    fn is_known(&self) -> bool {
        self.owner() != NOBODY
    }

    fn owner(&self) -> &'a str {
        self.slug.split('/').next().unwrap_or_default()
    }

    /// The end of a line that names the owner as somebody who is asked.
    fn asked(&self) -> String {
        format!(" @{}\n", self.owner())
    }
}

/// Checks that every place names the same address, and that its owner is filled in.
pub fn check() -> Result<String> {
    let manifest = read(SOURCE)?;
    let address = Address::of_manifest(&manifest)?;
    ensure!(
        address.is_known(),
        "{} has no owner yet: fill in the repository's address once",
        address.url
    );
    for place in PLACES {
        let text = read(place)?;
        ensure!(
            text.contains(address.slug) || text.contains(&address.asked()),
            "{place} does not name {}",
            address.slug
        );
    }
    let left = format!("{NOBODY}/tailnet-kit");
    let mut search = Command::new("git");
    search.args(["grep", "--files-with-matches", "--fixed-strings", &left]);
    search
        .args(["--", ".", ":!xtask"])
        .current_dir(paths::root());
    match run::answer(&mut search).filter(|files| !files.is_empty()) {
        Some(files) => bail!("still named {left} in {}", files.replace('\n', ", ")),
        None => Ok(address.url.to_owned()),
    }
}

/// Writes this address to every place, instead of the old one.
pub fn fill(url: &str) -> Result<()> {
    let manifest = read(SOURCE)?;
    let (old, new) = (Address::of_manifest(&manifest)?, Address::read(url)?);
    for place in PLACES {
        let text = read(place)?;
        let filled = replaced(&text, &old, &new);
        if filled != text {
            fs::write(paths::root().join(place), filled)?;
            println!("{place}: {}", new.slug);
        }
    }
    Ok(())
}

fn read(place: &str) -> Result<String> {
    fs::read_to_string(paths::root().join(place)).with_context(|| format!("cannot read {place}"))
}

/// The text with the new address instead of the old one: as a URL, as a slug that is not the end of a longer name, and as the owner who is asked.
fn replaced(text: &str, old: &Address<'_>, new: &Address<'_>) -> String {
    let mut result = String::new();
    for (index, part) in text.split(old.url).enumerate() {
        if index > 0 {
            result.push_str(new.url);
        }
        let mut rest = part;
        while let Some((before, after)) = rest.split_once(old.slug) {
            let is_longer =
                before.ends_with(|last: char| last.is_alphanumeric() || ".-_".contains(last));
            result.push_str(before);
            result.push_str(if is_longer { old.slug } else { new.slug });
            rest = after;
        }
        result.push_str(rest);
    }
    result.replace(&old.asked(), &new.asked())
}

#[cfg(test)]
mod tests {
    use super::{Address, replaced};

    #[test]
    fn an_address_names_an_owner_and_a_repository() {
        let address = Address::read("https://github.com/OWNER/tailnet-kit/").unwrap();
        assert_eq!(address.slug, "OWNER/tailnet-kit");
        assert!(!address.is_known());
        assert!(
            Address::read("https://git.example/ann/kit")
                .unwrap()
                .is_known()
        );
        for wrong in [
            "github.com/ann/kit",
            "https://github.com/ann",
            "https://github.com/ann/kit.git",
            "https://h/a/b/c",
        ] {
            assert!(Address::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_occurrence_of_an_address_is_replaced_and_nothing_else() {
        let [old, new] = [
            "https://github.com/she/kit",
            "https://git.example/ann/tools",
        ]
        .map(|url| Address::read(url).unwrap());
        let text = "\"git+https://github.com/she/kit.git\" uses: she/kit/action@v1, .cache/she/kit, ashe/kit";
        let wanted = "\"git+https://git.example/ann/tools.git\" uses: ann/tools/action@v1, .cache/ann/tools, ashe/kit";
        assert_eq!(replaced(text, &old, &new), wanted);
        assert_eq!(replaced("* @she\n", &old, &new), "* @ann\n");
    }
}
