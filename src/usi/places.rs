//! Where the files are that options name.

use std::borrow::Cow;
use std::env;
use std::path::{Path, PathBuf};

/// Where relative names are looked up: beside the executable, then in the current folder, if that is another one.
pub(super) fn folders() -> Vec<PathBuf> {
    let beside = env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_owned));
    let is_here = |folder: &PathBuf| env::current_dir().is_ok_and(|here| resolved(&here) == resolved(folder));
    let here = if beside.as_ref().is_some_and(is_here) { None } else { Some(PathBuf::new()) };
    beside.into_iter().chain(here).collect()
}

/// A folder without links on the way to it, where the system can tell that.
fn resolved(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// A name without blanks and quotes around it.
pub(super) fn unquoted(name: &str) -> &str {
    name.trim().trim_matches('"').trim()
}

/// A name with `/` between folders, as every system understands it.
pub(super) fn portable(name: &str) -> Cow<'_, str> {
    if name.contains('\\') { name.replace('\\', "/").into() } else { name.into() }
}

/// Where a file of that name may be, in the order in which these places are looked at.
pub(super) fn places(name: &str, folders: &[PathBuf]) -> Vec<PathBuf> {
    let portable = portable(name);
    // Elsewhere than on Windows a backslash is a letter like any other, but hardly ever meant as one.
    let spellings = if cfg!(windows) || portable == name { vec![name] } else { vec![name, &portable] };
    let mut places = Vec::new();
    for place in folders.iter().flat_map(|folder| spellings.iter().map(|spelling| folder.join(spelling))) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// Where a file is to be read; without any of that name, the name as it is, whose opening will say why not.
pub(super) fn path_to_read(name: &str) -> PathBuf {
    let name = unquoted(name);
    places(name, &folders()).into_iter().find(|path| path.exists()).unwrap_or_else(|| name.into())
}

/// Where a file is to be made, or exists already, by the rules for relative names.
pub(super) fn path_to_write(name: &str) -> PathBuf {
    path_to_write_in(name, &folders())
}

fn path_to_write_in(name: &str, folders: &[PathBuf]) -> PathBuf {
    let name = unquoted(name);
    let existing = places(name, folders).into_iter().find(|path| path.exists());
    // Windows itself takes either sign.
    let new = if cfg!(windows) { name.into() } else { portable(name) };
    existing.unwrap_or_else(|| folders.first().map_or_else(PathBuf::new, Clone::clone).join(&*new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_there_is_made_in_the_first_folder() {
        let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folders = [first.path().to_owned(), second.path().to_owned()];
        let path = |name| path_to_write_in(name, &folders);
        assert_eq!(path(" \"駒台.log\" "), first.path().join("駒台.log"));
        assert_eq!(path("logs\\a.log"), first.path().join("logs").join("a.log"));
        let absolute = second.path().join("b.log");
        assert_eq!(path(absolute.to_str().unwrap()), absolute);
        std::fs::write(second.path().join("駒台.log"), "").unwrap();
        assert_eq!(path("駒台.log"), second.path().join("駒台.log"));
    }
}
