#!/usr/bin/env python3
"""Packs a folder into a .tar.gz or .zip that depends on nothing but names, contents and SOURCE_DATE_EPOCH."""

import gzip
import os
import pathlib
import sys
import tarfile
import time
import zipfile


def pack_tar(files, top, output, epoch):
    with gzip.GzipFile(output, "wb", mtime=epoch) as stream, tarfile.open(fileobj=stream, mode="w") as archive:
        for path in files:
            entry = tarfile.TarInfo(path.relative_to(top).as_posix())
            entry.size, entry.mtime, entry.mode = path.stat().st_size, epoch, mode(path)
            with path.open("rb") as content:
                archive.addfile(entry, content)


def pack_zip(files, top, output, epoch):
    with zipfile.ZipFile(output, "w") as archive:
        for path in files:
            entry = zipfile.ZipInfo(path.relative_to(top).as_posix(), time.gmtime(epoch)[:6])
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = (0o100000 | mode(path)) << 16
            archive.writestr(entry, path.read_bytes(), compresslevel=9)


def mode(path):
    return 0o755 if os.access(path, os.X_OK) else 0o644


def main():
    folder, output = map(pathlib.Path, sys.argv[1:])
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    pack = pack_zip if output.suffix == ".zip" else pack_tar
    pack(files, folder.parent, output, int(os.environ["SOURCE_DATE_EPOCH"]))


if __name__ == "__main__":
    main()
