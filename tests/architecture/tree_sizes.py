#!/usr/bin/env python3
"""Fails where the tree, or an example run in it, has grown beyond what a clone and a package should carry."""
import pathlib
import subprocess
import sys
import tempfile

MEGABYTE = 10**6
MOST_TREE = 50 * MEGABYTE
MOST_RUN = 4 * MEGABYTE
RUNS = "resources/example_runs"


def files_of(root):
    """Those that git knows; of a tree without git, all that no build makes."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.decode().split("\0") if name]
        return [root / name for name in names if (root / name).is_file()]
    return [path for path in root.rglob("*") if path.is_file() and path.relative_to(root).parts[0] not in
            ("build", ".venv", ".cache", ".git")]


def findings(root):
    sizes = {path.relative_to(root): path.stat().st_size for path in files_of(root)}
    runs = {}
    for path, size in sizes.items():
        if path.is_relative_to(RUNS):
            name = path.relative_to(RUNS).parts[0]
            runs[name] = runs.get(name, 0) + size
    found = [f"{RUNS}/{name}: {size / MEGABYTE:.1f} MB, more than {MOST_RUN // MEGABYTE}: pack its journal, leave outputs out that nobody looks at"
             for name, size in sorted(runs.items()) if size > MOST_RUN]
    tree = sum(sizes.values())
    if tree > MOST_TREE:
        found.append(f"the tree: {tree / MEGABYTE:.1f} MB, more than {MOST_TREE // MEGABYTE}")
    return found


def selftest():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, size in ((f"{RUNS}/large/a.npy", MOST_RUN), (f"{RUNS}/large/b.npy", 1), (f"{RUNS}/small/a.npy", MOST_RUN),
                           ("resources/model", MOST_TREE)):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            with open(root / name, "wb") as file:
                file.truncate(size)
        found = [line.split(":")[0] for line in findings(root)]
    if found != [f"{RUNS}/large", "the tree"]:
        sys.exit(f"found {found}")
    print("finds what it should")


if __name__ == "__main__":
    if sys.argv[1] == "--selftest":
        selftest()
    else:
        wrong = findings(pathlib.Path(sys.argv[1]).resolve())
        if wrong:
            sys.exit("\n".join(wrong))
        print("the tree is small enough")
