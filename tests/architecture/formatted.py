#!/usr/bin/env python3
"""Fails where a source file is not formatted as .clang-format says, by clang-format 14 (Debian 12), and where a
source does not include its own header first: then nothing shows that the header is complete by itself.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FIRST = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)


def sources(root):
    for top in ("core", "app", "widgets", "tests"):
        for file in sorted(pathlib.Path(root, top).rglob("*")):
            if file.suffix in (".h", ".cpp", ".cu"):
                yield file


def unformatted(root, formatter):
    files = [str(file) for file in sources(root)]
    found = []
    for start in range(0, len(files), 100):
        done = subprocess.run([formatter, "--dry-run", "--ferror-limit=1", "-style=file", *files[start:start + 100]],
                              capture_output=True, text=True, check=False)
        found += sorted({line.split(":")[0] + ": not formatted: clang-format-14 -i it"
                         for line in done.stderr.splitlines() if "clang-formatted" in line})
    return found


def headers_not_first(root):
    for file in sources(root):
        own = file.with_suffix(".h")
        if file.suffix == ".h" or not own.exists():
            continue
        first = FIRST.search(file.read_text(encoding="utf-8"))
        name = own.relative_to(root).as_posix()
        if first and first.group(1) not in (name, own.name):
            yield f"{file}: includes {first.group(1)} before its own header"


def selftest(formatter):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "core").mkdir()
        (root / ".clang-format").write_text("BasedOnStyle: LLVM\n")
        (root / "core/good.h").write_text("int a;\n")
        (root / "core/good.cpp").write_text('#include "core/good.h"\n')
        (root / "core/bad.h").write_text("int   a;\n")
        (root / "core/bad.cpp").write_text('#include <vector>\n\n#include "core/bad.h"\n')
        found = unformatted(root, formatter) + list(headers_not_first(root))
    return [] if len(found) == 2 and all("bad" in line for line in found) else [f"found {found}"]


if __name__ == "__main__":
    program = shutil.which("clang-format-14") or sys.exit("clang-format-14 is missing: apt-get install clang-format-14")
    if sys.argv[1] == "--selftest":
        problems = selftest(program)
    else:
        problems = unformatted(sys.argv[1], program) + list(headers_not_first(sys.argv[1]))
    print("\n".join(problems) or "formatted")
    sys.exit(1 if problems else 0)
