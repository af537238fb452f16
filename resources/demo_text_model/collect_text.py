"""Collects the text of the demo text model: documentation and standard library of Python 3.11, as Debian 12 has them.

    apt-get download python3.11-doc && dpkg-deb -x python3.11-doc_*.deb DOC
    python3 resources/demo_text_model/collect_text.py --documentation DOC/usr/share/doc/python3.11/html/_sources \\
        --library /usr/lib/python3.11 --out FOLDER

Writes to FOLDER text.xz (what is trained on), held_out.txt (what is never trained on) and two lists of prompts, a
window of text a line: calibration.txt from the former, held_out_windows.txt from the latter.
"""
import argparse
import lzma
import pathlib

# Read by nobody, or lists and tables that teach no language.
LEFT_OUT = ("whatsnew/changelog.rst", "test/", "idlelib/", "lib2to3/", "ensurepip/", "pydoc_data/", "encodings/",
            "__pycache__/", "site-packages/", "dist-packages/", "_sysconfigdata", "config-", "turtledemo/")
HELD_OUT = ("tutorial/errors.rst", "howto/sorting.rst", "library/fractions.rst", "library/textwrap.rst", "fractions.py",
            "textwrap.py")


WINDOWS, WINDOW_BYTES = 16, 256


def windows(text):
    """Evenly spread over what is ASCII of it; a line break is "\\n", as in the prompts of QuantScope."""
    plain = text.encode("ascii", errors="ignore").decode()
    step = (len(plain) - WINDOW_BYTES) // (WINDOWS - 1)
    lines = (plain[i * step:i * step + WINDOW_BYTES] for i in range(WINDOWS))
    return "".join(line.replace("\\", "\\\\").replace("\n", "\\n") + "\n" for line in lines)


def documents(root, suffix):
    """Name and text of each file, in the order of names."""
    for path in sorted(root.rglob("*" + suffix), key=lambda path: path.relative_to(root).as_posix()):
        name = path.relative_to(root).as_posix().removesuffix(".txt")
        if path.is_file() and not name.startswith(LEFT_OUT) and not any(f"/{part}" in name for part in LEFT_OUT):
            yield name, path.read_text(encoding="utf-8", errors="replace").strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--documentation", type=pathlib.Path, required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    found = dict(documents(options.documentation, ".rst.txt")) | dict(documents(options.library, ".py"))
    if missing := [name for name in HELD_OUT if name not in found]:
        raise SystemExit(f"{', '.join(missing)} not found: is this the documentation and library of Python 3.11?")
    held_out = "\n\n\n".join(found.pop(name) for name in HELD_OUT) + "\n"
    text = "\n\n\n".join(found.values()) + "\n"
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "held_out.txt").write_text(held_out, encoding="utf-8")
    (options.out / "held_out_windows.txt").write_text(windows(held_out), encoding="utf-8")
    (options.out / "calibration.txt").write_text(windows(text), encoding="utf-8")
    (options.out / "text.xz").write_bytes(lzma.compress(text.encode(), preset=9))
    print(f"{len(found)} files, {len(text.encode()):,} bytes to train on; {len(held_out.encode()):,} bytes held out")


if __name__ == "__main__":
    main()
