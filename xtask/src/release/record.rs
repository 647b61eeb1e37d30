//! What the repository itself records of a release: its version, its entry in the changelog, its tag.
//! Must not live here: running anything but git.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::{paths, run};

/// The files that name the version, each with the text before it.
const VERSIONS: [(&str, &str); 8] = [
    ("Cargo.toml", "\nversion = \""),
    ("pkg/package.json", "\n  \"version\": \""),
    ("pkg/package-lock.json", "\n  \"version\": \""),
    ("editors/vscode/package.json", "\n  \"version\": \""),
    ("editors/vscode/package-lock.json", "\n  \"version\": \""),
    ("action/README.md", "@action-v"),
    ("action/gitlab.yml", "/download/v"),
    ("action/packed.mjs", "VERSION = '"),
];

fn read(place: &str) -> Result<String> {
    fs::read_to_string(paths::root().join(place)).with_context(|| format!("cannot read {place}"))
}

fn git(arguments: &[&str]) -> Option<String> {
    run::answer(
        Command::new("git")
            .args(arguments)
            .current_dir(paths::root()),
    )
}

/// Checks that nothing is left to commit.
pub fn tree() -> Result<String> {
    let changes = git(&["status", "--porcelain"]).context("this is no clone of git")?;
    ensure!(changes.is_empty(), "not committed:\n{changes}");
    Ok(git(&["rev-parse", "--short", "HEAD"]).unwrap_or_default())
}

/// Checks that every place names this version.
pub fn version(version: &str) -> Result<String> {
    let mut others = Vec::new();
    for (place, before) in VERSIONS {
        match versions(&read(place)?, before).find(|found| found != version) {
            Some(found) => others.push(format!("{place} says {found}")),
            None => continue,
        }
    }
    ensure!(
        others.is_empty(),
        "this is {version}, but {}",
        others.join(", ")
    );
    Ok(format!("{version}, in {} files", VERSIONS.len()))
}

/// The versions that follow `before` in a text; one empty version where the text lacks `before`.
fn versions(text: &str, before: &str) -> impl Iterator<Item = String> {
    let is_part = |letter: &char| letter.is_ascii_alphanumeric() || ".-+".contains(*letter);
    let found = text.split(before).skip(1);
    let found: Vec<String> = found
        .map(|rest| rest.chars().take_while(is_part).collect())
        .collect();
    if found.is_empty() {
        vec![String::new()]
    } else {
        found
    }
    .into_iter()
}

/// Checks that the changelog has an entry for this version with a date, and nothing left under "Unreleased".
pub fn changelog(version: &str) -> Result<String> {
    entry(&read("CHANGELOG.md")?, version)
}

fn entry(text: &str, version: &str) -> Result<String> {
    let sections = text.split("\n## ").skip(1);
    let sections: Vec<(&str, &str)> = sections
        .map(|section| section.split_once('\n').unwrap_or((section, "")))
        .collect();
    let news = |body: &str| body.lines().filter(|line| line.starts_with("- ")).count();
    if let Some((_, body)) = sections.iter().find(|(title, _)| *title == "Unreleased") {
        ensure!(
            news(body) == 0,
            "changes that are still under \"Unreleased\": {}",
            news(body)
        );
    }
    let entry = sections
        .iter()
        .find_map(|(title, body)| Some((title.strip_prefix(version)?.strip_prefix(" - ")?, body)));
    let Some((date, body)) = entry else {
        bail!("there is no entry \"## {version} - YEAR-MONTH-DAY\"");
    };
    ensure!(is_date(date), "`{date}` is no date: YEAR-MONTH-DAY");
    ensure!(news(body) > 0, "the entry of {version} says nothing");
    Ok(format!("of {date}, changes: {}", news(body)))
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |at: usize, length: usize| {
        let part = parts.get(at).filter(|part| part.len() == length)?;
        part.parse::<u32>().ok()
    };
    let fits =
        |value: Option<u32>, most: u32| value.is_some_and(|value| (1..=most).contains(&value));
    parts.len() == 3 && number(0, 4).is_some() && fits(number(1, 2), 12) && fits(number(2, 2), 31)
}

/// Checks that no other commit has the tag.
pub fn tag(tag: &str) -> Result<String> {
    let of = |name: &str| {
        git(&[
            "rev-parse",
            "--verify",
            "--quiet",
            &format!("{name}^{{commit}}"),
        ])
    };
    match of(tag) {
        None => Ok(format!("{tag} is free")),
        Some(commit) if Some(&commit) == of("HEAD").as_ref() => {
            Ok(format!("{tag} is set on this commit already"))
        }
        Some(commit) => bail!("{tag} is set on {commit}, which is another commit"),
    }
}

/// Sets the tag, unless it is set already.
pub fn set_tag(tag: &str) -> Result<()> {
    if git(&["rev-parse", "--verify", "--quiet", tag]).is_none() {
        run::quiet(
            "tag",
            Command::new("git")
                .args(["tag", "--annotate", "--message", tag, tag])
                .current_dir(paths::root()),
        )?;
    }
    Ok(())
}

/// The tag of the release before this one, if there was one.
pub fn tag_before(tag: &str) -> Option<String> {
    let tags = git(&[
        "tag",
        "--list",
        "v*",
        "--merged",
        "HEAD",
        "--sort=-version:refname",
    ])?;
    tags.lines().find(|other| *other != tag).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{entry, is_date, versions};

    const LOG: &str = "# Changes\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n### Added\n\n- One.\n- Two,\n  which goes on.\n\n## 0.1.0 - 2026-11-01\n\n- The first.\n";

    #[test]
    fn an_entry_has_its_version_a_date_and_changes() {
        assert_eq!(entry(LOG, "0.2.0").unwrap(), "of 2026-12-01, changes: 2");
        assert_eq!(entry(LOG, "0.1.0").unwrap(), "of 2026-11-01, changes: 1");
        let why = |log: &str, version| entry(log, version).unwrap_err().to_string();
        assert!(why(LOG, "0.2").starts_with("there is no entry"));
        assert!(why(&LOG.replace("2026-12-01", "soon"), "0.2.0").contains("is no date"));
        assert!(why(&LOG.replace("- One.\n- Two,", ""), "0.2.0").contains("says nothing"));
        assert!(
            why(
                &LOG.replace("Unreleased\n", "Unreleased\n\n- Late.\n"),
                "0.2.0"
            )
            .ends_with(": 1")
        );
    }

    #[test]
    fn a_date_is_a_day_of_a_month_of_a_year() {
        assert!(is_date("2026-11-22"));
        for wrong in [
            "2026-13-01",
            "2026-00-10",
            "2026-11-32",
            "26-11-22",
            "2026-11",
            "2026-11-22-1",
            "today",
        ] {
            assert!(!is_date(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_version_is_read_wherever_it_is_named() {
        let found: Vec<String> = versions(
            "uses: a/action@v1.2.3\nuses: b/action@v1.2.4-rc.1\n",
            "/action@v",
        )
        .collect();
        assert_eq!(found, ["1.2.3", "1.2.4-rc.1"]);
        let found: Vec<String> =
            versions("{\n  \"name\": \"x\"\n}", "\n  \"version\": \"").collect();
        assert_eq!(found, [""]);
    }
}
