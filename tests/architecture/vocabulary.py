#!/usr/bin/env python3
"""Fails where a text that a user sees has another word for something that resources/help/terms.md names.

Texts are the sentences and translated words of widgets, programs and report writers, the help, and names, descriptions
and labels of presets. Keys of files and options are none.
"""
import json
import pathlib
import re
import sys
import tempfile

# What is not said, and what is said instead.
WORDS = {
    r"pictures?": "image", r"ambiguous": "undecided", r"(?:not |un)settled": "undecided", r"roofs?(?:line)?": "hardware peak",
    r"go(?:es)? on with": "resume", r"not told": "not reported", r"accident": "chance", r"sweep file": "preset",
    r"golden": "reference", r"slowed down by (?:heat|power)": "throttled", r"hot cache": "warm L2 cache",
    r"bit identical": "bit-identical", r"time-out": "timeout"}
FOLDERS = ("widgets", "app", "core/report")
LITERAL = re.compile(r'(tr\(|TR_NOOP\()?\s*"((?:[^"\\\n]|\\.)*)"')
COMMENT = re.compile(r"^\s*#include.*|\s//\s.*|^//.*")
KEY = re.compile(r"\$[\w.\[\]]+|--[\w-]+|`[^`]*`|\]\([^)]*\)")
PRESET_TEXTS = {"name", "description", "label", "title"}


def texts_of_source(path):
    """Pairs of line and text. One word is a text only where it is translated; else it is an id."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for translated, text in LITERAL.findall(COMMENT.sub("", line)):
            if translated or " " in text.strip():
                yield number, text


def texts_of_preset(value, key=""):
    if isinstance(value, dict):
        for name, member in value.items():
            yield from texts_of_preset(member, name)
    elif isinstance(value, list):
        for member in value:
            yield from texts_of_preset(member, key)
    elif isinstance(value, str) and key in PRESET_TEXTS:
        yield value


def texts(root):
    """(file, line, text) of all that users see."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.cpp")) + sorted((root / folder).rglob("*.h")):
            for number, text in texts_of_source(path):
                yield path, number, text
    for path in sorted((root / "resources/help").glob("*.md")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield path, number, line
    for path in sorted((root / "presets").rglob("*.json")):
        for text in texts_of_preset(json.loads(path.read_text(encoding="utf-8"))):
            yield path, 0, text


def findings(root):
    found = []
    rules = [(re.compile(rf"\b(?:{word})\b", re.I), term) for word, term in WORDS.items()]
    for path, number, text in texts(root):
        said = KEY.sub("", text)
        for rule, term in rules:
            match = rule.search(said)
            if match:
                found.append(f'{path.relative_to(root)}:{number}: "{match[0]}": say "{term}" ({text[:80]})')
    return found


def selftest():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in (*FOLDERS, "resources/help", "presets"):
            (root / name).mkdir(parents=True)
        (root / "widgets/a.cpp").write_text('// a picture\nf("picture", tr("Picture"), "$.pictures is empty");\n')
        (root / "core/report/b.cpp").write_text('say("this is AMBIGUOUS by far");\nsay("--picture takes one");\n')
        (root / "resources/help/c.md").write_text("`pictures.source` is a key, ![one](pictures/a.png)\nthe comparison is not settled\n")
        (root / "presets/d.json").write_text('{"pictures": {"label": "sixteen pictures", "source": "a picture"}}')
        found = [line.split(" (")[0] for line in findings(root)]
    expected = ['widgets/a.cpp:2: "Picture": say "image"', 'core/report/b.cpp:1: "AMBIGUOUS": say "undecided"',
                'resources/help/c.md:2: "not settled": say "undecided"',
                'presets/d.json:0: "pictures": say "image"']
    if found != expected:
        sys.exit("found " + "\n".join(found))
    print("finds what it should")


if __name__ == "__main__":
    if sys.argv[1] == "--selftest":
        selftest()
    else:
        wrong = findings(pathlib.Path(sys.argv[1]))
        if wrong:
            sys.exit("\n".join(wrong))
        print("one vocabulary")
