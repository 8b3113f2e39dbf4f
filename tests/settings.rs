//! The INI file, as users and GUIs find it.

use std::fs;
use std::path::{Path, PathBuf};

use komadai::settings::{Settings, SettingsError};

fn load(path: &Path) -> Settings {
    Settings::from_files(vec![path.to_owned()])
}

/// A folder with one file in it.
fn file(content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("komadai.ini");
    fs::write(&path, content).unwrap();
    (folder, path)
}

#[test]
fn a_later_file_lies_on_top_of_an_earlier_one() {
    let (_first, beside) = file(b"[CustomSettings]\nBookFile=a.db\nUseBook=false\n");
    let (_second, of_user) = file(b"[CustomSettings]\nBookFile=b.db\n");
    let mut settings = Settings::from_files(vec![beside.clone(), of_user.clone()]);
    assert_eq!(settings.get("BookFile"), Some("b.db"));
    assert_eq!(settings.get("UseBook"), Some("false"));
    settings.set("BookFile", "c.db").unwrap();
    assert_eq!(fs::read_to_string(&of_user).unwrap(), "[CustomSettings]\nBookFile=c.db\n");
    assert_eq!(fs::read_to_string(&beside).unwrap(), "[CustomSettings]\nBookFile=a.db\nUseBook=false\n");
}

#[test]
fn the_first_write_makes_the_file_from_the_template() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deeper/komadai.ini");
    let mut settings = load(&path);
    assert_eq!(settings.values().count(), 0);
    settings.set("BookFile", "my book.db").unwrap();
    let template = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ini/komadai.ini")).unwrap();
    let expected = template.replace("BookFile=joseki/standard.joseki", "BookFile=my book.db");
    assert_ne!(expected, template);
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    assert_eq!(load(&path).get("UseBook"), Some("true"));
}

#[test]
fn a_new_file_does_not_hide_what_an_earlier_one_says() {
    let folder = tempfile::tempdir().unwrap();
    // A folder cannot be replaced by a file, so the second place is taken.
    let beside = folder.path().join("komadai.ini");
    fs::write(&beside, "[CustomSettings]\nUseBook=false\n").unwrap();
    let mut permissions = fs::metadata(&beside).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&beside, permissions).unwrap();
    let of_user = folder.path().join("user/komadai.ini");
    let mut settings = Settings::from_files(vec![beside.clone(), of_user.clone()]);
    settings.set("BookFile", "b.db").unwrap();
    assert_eq!(fs::read_to_string(&beside).unwrap(), "[CustomSettings]\nUseBook=false\n");
    let settings = load(&of_user);
    assert_eq!(settings.get("BookFile"), Some("b.db"));
    assert_eq!(settings.get("UseBook"), Some("false"));
}

#[test]
fn cp932_files_stay_cp932() {
    let content = b"; \x92\xe8\x90\xd5\r\n[CustomSettings]\r\nBookFile=\x92\xe8\x90\xd5\\a.db\r\nUseBook=true\r\n";
    let (_folder, path) = file(content);
    let mut settings = load(&path);
    assert_eq!(settings.get("BookFile"), Some("定跡\\a.db"));
    settings.set("UseBook", "false").unwrap();
    settings.set("BookFile", "表.db").unwrap();
    let expected = b"; \x92\xe8\x90\xd5\r\n[CustomSettings]\r\nBookFile=\x95\x5c.db\r\nUseBook=false\r\n";
    assert_eq!(fs::read(&path).unwrap(), expected);
    assert_eq!(load(&path).get("BookFile"), Some("表.db"));
}

#[test]
fn what_cp932_can_not_hold_is_refused_and_changes_nothing() {
    let content = b"; \x92\xe8\x90\xd5\n[CustomSettings]\nBookFile=a.db\n";
    // The last one is turned into another character by the encoding, and would not come back.
    for value in ["☗.db", "\u{a5}.db"] {
        let (_folder, path) = file(content);
        let mut settings = load(&path);
        let error = settings.set("BookFile", value).unwrap_err();
        assert!(matches!(error, SettingsError::Encoding { .. }), "{error}");
        assert!(error.to_string().ends_with("save the file as UTF-8"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), content);
        assert_eq!(settings.get("BookFile"), Some(value), "while the program runs it counts");
    }
}

#[test]
fn what_no_ini_file_can_hold_is_refused_for_another_reason() {
    for content in [&b"[CustomSettings]\nBookFile=a.db\n"[..], b"; \x92\xe8\n[CustomSettings]\nBookFile=a.db\n"] {
        for value in ["a\nb.db", " a.db", "a.db\r", "a\0.db", "\u{3000}a.db"] {
            let (_folder, path) = file(content);
            let error = load(&path).set("BookFile", value).unwrap_err();
            assert!(matches!(error, SettingsError::Value { .. }), "{error}");
            assert!(!error.to_string().contains("UTF-8"), "{error}");
            assert_eq!(fs::read(&path).unwrap(), content);
        }
    }
}

#[test]
fn errors_quote_the_start_of_a_long_value() {
    let (_folder, path) = file(b"; \x92\xe8\n[CustomSettings]\n");
    for long in ["☗".repeat(3000), " ".repeat(3000)] {
        let error = load(&path).set("BookFile", &long).unwrap_err().to_string();
        let quoted: String = long.chars().take(40).collect();
        assert!(error.contains(&format!("can't hold {quoted:?}: ")), "{error}");
    }
}

#[test]
fn utf_8_files_keep_their_mark_or_its_absence() {
    for mark in ["", "\u{feff}"] {
        let (_folder, path) = file(format!("{mark}[CustomSettings]\nBookFile=定跡.db\n").as_bytes());
        let mut settings = load(&path);
        assert_eq!(settings.get("BookFile"), Some("定跡.db"));
        settings.set("BookFile", "☗.db").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{mark}[CustomSettings]\nBookFile=☗.db\n"));
    }
}

#[test]
fn values_may_hold_what_looks_like_a_remark_or_another_sign() {
    for value in ["a.db;b.db", "C:\\books\\a#b.db", "C:\\a=b.db", "%PATH%", "[x]", "\"a b\"", ";", ""] {
        let (_folder, path) = file(b"[CustomSettings]\nBookFile=a.db\n");
        load(&path).set("BookFile", value).unwrap();
        assert_eq!(load(&path).get("BookFile"), Some(value));
    }
}

#[test]
fn keys_are_not_case_sensitive_and_foreign_ones_stay() {
    let (_folder, path) = file(b"[CustomSettings]\nusebook=false\nTheirs = 1\n[Other]\nUseBook=z\n");
    let mut settings = load(&path);
    assert_eq!((settings.get("usebook"), settings.get("UseBook")), (Some("false"), Some("false")));
    settings.set("UseBook", "true").unwrap();
    assert_eq!((settings.get("usebook"), settings.get("UseBook")), (Some("true"), Some("true")));
    let content = fs::read_to_string(&path).unwrap();
    assert_eq!(content, "[CustomSettings]\nusebook=true\nTheirs = 1\n[Other]\nUseBook=z\n");
}

#[test]
fn of_a_key_in_several_spellings_the_last_one_counts() {
    let (_folder, path) = file(b"[CustomSettings]\nBookFile=x\nbookfile=y\n");
    let mut settings = load(&path);
    assert_eq!(settings.get("BookFile"), Some("y"));
    settings.set("BookFile", "new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "[CustomSettings]\nBookFile=x\nbookfile=new\n");
}

#[test]
fn a_later_file_counts_more_in_whatever_spelling() {
    let (_first, beside) = file(b"[CustomSettings]\nUseBook=true\n");
    let (_second, of_user) = file(b"[customsettings]\nusebook=false\n");
    let mut settings = Settings::from_files(vec![beside.clone(), of_user.clone()]);
    assert_eq!(settings.get("UseBook"), Some("false"));
    assert_eq!(settings.values().count(), 1);
    settings.set("UseBook", "true").unwrap();
    assert_eq!(fs::read_to_string(&of_user).unwrap(), "[customsettings]\nusebook=true\n");
    assert_eq!(Settings::from_files(vec![beside, of_user]).get("UseBook"), Some("true"));
}

#[test]
fn sections_in_several_spellings_are_one() {
    let content = "[customsettings]\nBookFile=a\nx=1\n[CustomSettings]\nBookFile=b\n[CUSTOMSETTINGS]\ny=2\n";
    // A random order would show sooner or later.
    for _ in 0..50 {
        let (_folder, path) = file(content.as_bytes());
        let mut settings = load(&path);
        assert_eq!(settings.values().collect::<Vec<_>>(), [("bookfile", "b"), ("x", "1"), ("y", "2")]);
        settings.set("BookFile", "c").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), content.replace("=b", "=c"));
        settings.set("UseBook", "false").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), content.replace("=b", "=c") + "UseBook=false\n");
    }
}

#[test]
fn the_sign_for_as_it_is_sets_nothing() {
    let (_first, beside) = file(b"[CustomSettings]\nBookFile=a.db\n");
    let (_second, of_user) = file(b"[CustomSettings]\nBookFile=<ini>\nUseBook=<INI>\n");
    let mut settings = Settings::from_files(vec![beside, of_user.clone()]);
    assert_eq!((settings.get("BookFile"), settings.get("UseBook")), (Some("a.db"), None));
    settings.set("BookFile", "b.db").unwrap();
    assert_eq!(fs::read_to_string(&of_user).unwrap(), "[CustomSettings]\nBookFile=b.db\nUseBook=<INI>\n");
}

#[test]
fn a_value_that_is_there_already_is_not_written_again() {
    let (_folder, path) = file(b"[CustomSettings]\nBookFile=a.db\n");
    let mut settings = load(&path);
    fs::remove_file(&path).unwrap();
    settings.set("BookFile", "a.db").unwrap();
    assert!(!path.exists());
}

#[test]
fn what_others_have_written_meanwhile_is_kept() {
    let (_folder, path) = file(b"[CustomSettings]\nBookFile=a.db\n");
    let mut settings = load(&path);
    fs::write(&path, "[CustomSettings]\nUSI_Hash=64\nBookFile=a.db\n").unwrap();
    settings.set("BookFile", "b.db").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "[CustomSettings]\nUSI_Hash=64\nBookFile=b.db\n");
}

#[test]
fn a_file_that_is_no_ini_is_left_alone() {
    for content in [&b"[CustomSettings\nBookFile=a.db\n"[..], b"\xff\xfe[\0C\0u\0s\0t\0o\0m\0"] {
        let (_folder, path) = file(content);
        let mut settings = load(&path);
        assert_eq!(settings.errors().len(), 1);
        assert!(settings.errors()[0].to_string().contains("komadai.ini"));
        assert!(settings.set("BookFile", "b.db").is_err());
        assert_eq!(fs::read(&path).unwrap(), content);
    }
}

#[test]
fn a_place_that_can_not_be_written_is_an_error_and_the_value_counts_all_the_same() {
    let (_folder, path) = file(b"");
    let mut settings = load(&path.join("komadai.ini"));
    let error = settings.set("BookFile", "b.db").unwrap_err();
    assert!(error.to_string().contains("komadai.ini"), "{error}");
    assert_eq!(settings.get("BookFile"), Some("b.db"));
}

#[test]
fn nothing_else_is_left_in_the_folder() {
    let (folder, path) = file(b"[CustomSettings]\nBookFile=a.db\n");
    load(&path).set("BookFile", "b.db").unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn of_a_link_the_target_changes_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (folder, path) = file(b"[CustomSettings]\nBookFile=a.db\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.ini");
    symlink(&path, &link).unwrap();
    load(&link).set("BookFile", "b.db").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&path).unwrap(), "[CustomSettings]\nBookFile=b.db\n");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}

/// Sets the permission mask of a process of its own, since it belongs to a whole process: this test once more.
#[cfg(unix)]
#[test]
fn a_new_file_has_the_permissions_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;
    const PATH: &str = "KOMADAI_TEST_NEW_INI";
    if let Some(path) = std::env::var_os(PATH) {
        return load(Path::new(&path)).set("BookFile", "b.db").unwrap();
    }
    for (mask, mode) in [("007", 0o660), ("022", 0o644), ("077", 0o600)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("komadai.ini");
        let status = Command::new("sh")
            .args(["-c", "umask $1 && exec \"$0\" --exact a_new_file_has_the_permissions_of_any_new_file"])
            .arg(std::env::current_exe().unwrap())
            .arg(mask)
            .env(PATH, &path)
            .stdout(std::process::Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode, "umask {mask}");
        // What the user gave it later is kept, whatever the mask.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o606)).unwrap();
        load(&path).set("BookFile", "c.db").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o606);
    }
}

#[cfg(unix)]
#[test]
fn devices_are_neither_read_nor_replaced() {
    // An endless one: to read it would never end.
    let mut settings = Settings::from_files(vec!["/dev/zero".into()]);
    assert!(settings.errors()[0].to_string().contains("no plain file"), "{:?}", settings.errors());
    assert!(settings.set("BookFile", "a.db").is_err());
    assert!(!std::fs::metadata("/dev/zero").unwrap().is_file());
    assert_eq!(settings.get("BookFile"), Some("a.db"));
}
