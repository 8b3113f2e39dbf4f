#!/usr/bin/env python3
"""Prints the licences of all crates that are part of the program for a target, as Markdown.

Fails where a crate has no licence, none that asks nothing of those who use the program but to name its authors, or where
its package has no text of that licence.
"""

import json
import pathlib
import re
import subprocess
import sys

# What we take: none of these asks for the source of what it becomes a part of.
PERMISSIVE = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Zlib",
}
TEXT = re.compile(r"^(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def packages(target):
    """Packages whose code is in the program: no macros, build scripts or tests."""
    tree = cargo(
        "tree", "--locked", "--edges", "normal,no-proc-macro", "--target", target, "--prefix", "none", "--format", "{p}"
    )
    wanted = {tuple(line.split()[:2]) for line in tree.splitlines()}
    metadata = json.loads(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", target))
    found = [package for package in metadata["packages"] if (package["name"], "v" + package["version"]) in wanted]
    assert len(found) == len(wanted), "cargo's tree and its metadata disagree"
    others = [package for package in found if package["source"] is not None]
    assert len(others) == len(found) - 1, "only the program itself comes from here"
    return sorted(others, key=lambda package: (package["name"], package["version"]))


def is_permissive(expression):
    """Whether an SPDX expression leaves a choice of permissive licences; `/` is an old spelling of OR.

    >>> [is_permissive(e) for e in ("MIT/Apache-2.0", "MIT OR GPL-2.0", "(GPL-2.0 OR MIT) AND ISC")]
    [True, True, True]
    >>> [is_permissive(e) for e in ("MPL-2.0", "MIT AND GPL-2.0", "GPL-2.0 OR (MIT AND LGPL-2.1)", "MIT WITH X")]
    [False, False, False, False]
    """
    tokens = re.findall(r"\(|\)|/|[\w.+-]+", expression)

    def either():
        result = both()
        while tokens and tokens[0] in ("OR", "/"):
            tokens.pop(0)
            result = both() or result
        return result

    def both():
        result = one()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            result = one() and result
        return result

    def one():
        token = tokens.pop(0)
        if token == "(":
            result = either()
            assert tokens.pop(0) == ")", expression
            return result
        if tokens[:1] == ["WITH"]:
            tokens.pop(0)
            token += " WITH " + tokens.pop(0)
        return token in PERMISSIVE

    result = either()
    assert not tokens, expression
    return result


def texts(package):
    """The licence texts in a package."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.rglob("*") if path.is_file() and TEXT.match(path.name))
    files = [path for path in files if path.suffix.lower() not in (".rs", ".toml", ".json")]
    return [path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip() for path in files]


def main():
    used = packages(sys.argv[1])
    faults, holders = [], {}
    print("# Licences of other people's code in this program\n")
    print("Where OR leaves a choice, it is one that asks for no more than the notices below, and so never GPL or LGPL.\n")
    print("| crate | version | licence | home |\n| --- | --- | --- | --- |")
    for package in used:
        name, version, licence = package["name"], package["version"], package["license"]
        home = package["repository"] or package["homepage"] or ""
        print(f"| {name} | {version} | {licence} | {home} |")
        if not licence or not is_permissive(licence):
            faults.append(f"{name} {version}: its licence is {licence}")
        found = texts(package)
        if not found:
            faults.append(f"{name} {version}: the package has no text of its licence ({licence})")
        for text in dict.fromkeys(found):
            holders.setdefault(text, []).append(f"{name} {version}")
    for text, names in holders.items():
        print(f"\n## {', '.join(names)}\n\n~~~text\n{text}\n~~~")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
