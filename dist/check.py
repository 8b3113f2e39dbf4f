#!/usr/bin/env python3
"""Unpacks an archive as a user would, looks for what must be in it, and speaks USI with the program there.

That for Windows runs under wine, where there is one, with its files in the folder of builds.
"""

import os
import pathlib
import queue
import re
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile

NEEDED = (
    "README.md README.ja.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE komadai.ini joseki/README.md joseki/standard.joseki"
    " joseki/static-rook.joseki joseki/ranging-rook.joseki docs/options.md docs/explore-ja.png licences/THIRD-PARTY.md"
    " licences/rust-library.html"
).split()
WINE = pathlib.Path("/usr/lib/wine/wine64")
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target")).absolute()
SECONDS = 120
BOOK = "info string joseki: .* from standard.joseki"
# What is sent, how the last line of the answer begins, and what stands among its lines.
SESSION = [
    ("usi", "usiok", "option name BookFile"),
    ("isready", "readyok", ""),
    ("usinewgame\nposition startpos\ngo btime 60000 wtime 60000 byoyomi 1000", "bestmove", BOOK),
    ("position startpos moves 1g1f 1c1d 1f1e\ngo btime 5000 wtime 5000 winc 100", "bestmove", "info depth .* pv "),
]


def unpack(archive, folder):
    """All names in an archive, which is unpacked."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as opened:
            assert opened.testzip() is None
            names = opened.namelist()
            opened.extractall(folder)
    else:
        with tarfile.open(archive) as opened:
            names = opened.getnames()
            # By the program that users have.
            subprocess.run(["tar", "-xzf", archive, "-C", folder], check=True)
    return names


def check_files(top, names, program):
    for name in names:
        assert re.fullmatch(r"[\w.-]+(/[\w.-]+)+", name, re.ASCII), f"a name that not every system reads: {name}"
        assert name.split("/")[0] == top.name and ".." not in name, f"outside of {top.name}: {name}"
    assert len(set(map(str.lower, names))) == len(names), "names that Windows takes for one"
    inside = {name.split("/", 1)[1] for name in names}
    missing = {program, *NEEDED} - inside
    assert not missing, f"missing: {missing}"
    sysroot = subprocess.check_output(["rustc", "--print", "sysroot"], text=True).strip()
    cargo = os.environ.get("CARGO_HOME") or str(pathlib.Path.home() / ".cargo")
    here = [str(pathlib.Path.cwd()), str(TARGET), sysroot, cargo, "/usr/lib/rustlib"]
    for path in (path for path in top.rglob("*") if path.is_file()):
        found = [folder for folder in here if folder.encode() + b"/" in path.read_bytes()]
        assert not found, f"{path.relative_to(top)} names {found}, which only this machine has"


def runner(top, program):
    """The command that runs the program, and its environment; None where it can't be run."""
    environment = {**os.environ, "KOMADAI_INI": str(top / "komadai.ini")}
    if not program.endswith(".exe"):
        return [str(top / program)], environment
    if not WINE.exists():
        return None, environment
    prefix = TARGET / "windows" / "wine"
    prefix.mkdir(parents=True, exist_ok=True)
    environment.update(WINEPREFIX=str(prefix), WINEARCH="win64", WINEDEBUG="-all", WINEDLLOVERRIDES="mscoree=;mshtml=")
    environment.pop("DISPLAY", None)
    library = [str(top / "bcryptprimitives.dll"), ".ci/bcryptprimitives.c", "-ladvapi32"]
    subprocess.run(["x86_64-w64-mingw32-gcc", "-O1", "-Wall", "-Werror", "-shared", "-o", *library], check=True)
    return [str(WINE), str(top / program)], environment


def say(process, lines, session):
    for sent, last, expected in session:
        print(*(f"> {line}" for line in sent.splitlines()), sep="\n")
        process.stdin.write(sent + "\n")
        process.stdin.flush()
        answer = []
        while not (answer and answer[-1].startswith(last)):
            answer.append(lines.get(timeout=SECONDS))
            assert answer[-1] is not None, f"the program ended: {answer}"
        assert any(re.search(expected, line) for line in answer), f"no {expected} in {answer}"
        print(*(f"< {line}" for line in answer if not line.startswith(("option ", "info multipv "))), sep="\n")


def speak(command, environment, folder):
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, cwd=folder, encoding="utf-8") as process:
        lines = queue.Queue()

        def listen():
            for line in process.stdout:
                lines.put(line.rstrip("\n"))
            lines.put(None)

        threading.Thread(target=listen, daemon=True).start()
        try:
            say(process, lines, SESSION)
            process.stdin.write("quit\n")
            process.stdin.flush()
            code = process.wait(timeout=SECONDS)
            assert code == 0, f"quit: {code}"
        finally:
            process.kill()


def main():
    archive = pathlib.Path(sys.argv[1]).absolute()
    top_name = archive.name.removesuffix(".zip").removesuffix(".tar.gz")
    program = "komadai.exe" if archive.suffix == ".zip" else "komadai"
    with tempfile.TemporaryDirectory(prefix="将棋 ソフト ") as folder:
        top = pathlib.Path(folder) / top_name
        check_files(top, unpack(archive, folder), program)
        command, environment = runner(top, program)
        if command is None:
            print(f"{program} is not run: there is no {WINE}", file=sys.stderr)
            return
        try:
            # From another folder than that of the program, as GUIs do.
            speak(command, environment, folder)
            subprocess.run([*command, "doctor"], env=environment, cwd=folder, check=True)
        finally:
            if command[0] == str(WINE):
                subprocess.run([WINE.with_name("wineserver"), "-k"], env=environment, check=False)
    print(f"{archive.name} is whole")


if __name__ == "__main__":
    main()
