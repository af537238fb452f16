#!/usr/bin/env python3
"""Fails where the product calls something that may throw or that shows a text as what it is not.

* File-system functions take an error code: the others throw on anything but "not found", and nothing catches it.
* JSON is written by jsonText(): dump() throws on text that is not UTF-8.
* quantscope-cli speaks through app/cli/terminal_text.h, which removes what a terminal would obey.
* Models are opened and told of by core/quant/checked_model.h, which holds what is stored quantized against its schemes.
* Nothing is thread_local: mold 1.10 places a few such bytes so that some programs do not start ("cannot apply additional
  memory protection after relocation").
* Tool tips and labels show names from files as they are, not as HTML.
"""
import pathlib
import re
import sys
import tempfile

# The number of paths that each takes; one argument more is the error code.
FS_PATHS = {name: 1 for name in (
    "absolute", "canonical", "create_directories", "create_directory", "current_path", "exists", "file_size", "is_directory",
    "is_empty", "is_other", "is_regular_file", "is_symlink", "last_write_time", "read_symlink", "remove", "remove_all", "space",
    "status", "symlink_status", "weakly_canonical", "directory_iterator", "recursive_directory_iterator")}
FS_PATHS.update({name: 2 for name in (
    "copy", "copy_file", "create_hard_link", "create_symlink", "equivalent", "permissions", "proximate", "relative", "rename",
    "resize_file")})
FS_CALL = re.compile(r"\b(?:fs|filesystem)::(\w+)(?:\s+\w+)?\(")
ENTRY_CALL = re.compile(r"\b(?:entry|each|at)->(?:exists|file_size|is_directory|is_regular_file|is_symlink|last_write_time|status)\(\)")
# They catch what dump() throws, because a text that is not UTF-8 must be refused there.
MAY_DUMP = {"core/base/json.cpp", "core/protocol/messages.cpp", "core/record/journal/journal_line.cpp",
            "core/model/safetensors/writer.cpp"}
OPENS_MODEL = re.compile(r"\b(?:openModel|inspectModel)\(")
MAY_OPEN = {"core/model/catalogue.h", "core/model/catalogue.cpp", "core/quant/checked_model.h", "core/quant/checked_model.cpp"}
PRINT = re.compile(r"\bfmt::print\(|\bstd::(?:puts|printf|fputs|fprintf|cout|cerr)\b")
FIXED = r'(?:\w+::)?tr\(\s*(?:"(?:[^"\\]|\\.)*"\s*)+(?:,\s*"(?:[^"\\]|\\.)*"\s*)?\)'
FIXED_TEXT = re.compile(rf"^\s*(?:(?:{FIXED})|QString\(\)|[^?]*\?\s*{FIXED}\s*:\s*{FIXED})\s*$", re.S)
PLAIN_TIP = re.compile(r"plainTip\(|wrappedTip\(|ToolTipRole\)\.toString\(\)|^\s*\w+\.toolTip\(\)\s*$", re.S)
LABEL = re.compile(r"\b(\w+)\s*(?:=\s*|\()new QLabel\(")


def arguments(text, bracket):
    """The arguments of the call whose bracket opens at this place."""
    parts, depth, quote, i = [""], 0, "", bracket
    while i < len(text):
        c = text[i]
        if quote:
            if c == "\\":
                parts[-1] += c
                i += 1
                c = text[i]
            elif c == quote:
                quote = ""
        elif c in "\"'":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                break
        elif c == "," and depth == 1:
            parts.append("")
            i += 1
            continue
        parts[-1] += c
        i += 1
    parts[0] = parts[0][1:]
    return [part for part in parts if part.strip()]


def file_system_faults(text):
    for match in FS_CALL.finditer(text):
        name, given = match.group(1), arguments(text, match.end() - 1)
        if name not in FS_PATHS or len(given) > FS_PATHS[name]:
            continue
        ofStatus = len(given) == 1 and re.fullmatch(r"\s*(?:kind|status|fs::status\(.*,.*\))\s*", given[0], re.S)
        if given and not ofStatus:
            yield match.start(), f"{name}() throws without an error code"
    for match in ENTRY_CALL.finditer(text):
        yield match.start(), "a directory entry throws without an error code"


def tip_faults(text):
    for match in re.finditer(r"\b(setToolTip|setItemData|QToolTip::showText)\(", text):
        given = arguments(text, match.end() - 1)
        if match.group(1) == "setItemData":
            if given[-1].strip() != "Qt::ToolTipRole":
                continue
            tip = given[1]
        else:
            tip = given[1] if match.group(1) == "QToolTip::showText" else given[-1]
        if not FIXED_TEXT.match(tip) and not PLAIN_TIP.search(tip):
            yield match.start(), "this tool tip may be taken for HTML: use plainTip()"


def label_faults(text):
    for match in LABEL.finditer(text):
        name, given = match.group(1), arguments(text, match.end() - 1)
        fixed = len(given) > 0 and FIXED_TEXT.match(given[0])
        if fixed or name.lower().endswith("icon"):
            continue
        if not re.search(rf"\b{name}->setTextFormat\(", text):
            yield match.start(), f"{name} may take a text for HTML: set its format to PlainText"


def complaints(path, text):
    top, whole = path[0], "/".join(path)
    yield from file_system_faults(text)
    if whole not in MAY_DUMP:
        for match in re.finditer(r"(?:\.|->)dump\(", text):
            yield match.start(), "dump() throws on text that is not UTF-8: use jsonText()"
    if whole not in MAY_OPEN:
        for match in OPENS_MODEL.finditer(text):
            yield match.start(), "what is stored is not checked: use openCheckedModel() or inspectCheckedModel()"
    for match in re.finditer(r"\bthread_local\b", text):
        yield match.start(), "thread_local: programs that mold links may not start"
    if path[:2] == ("app", "cli") and path[-1] != "terminal_text.cpp":
        for match in PRINT.finditer(text):
            yield match.start(), "print through app/cli/terminal_text.h"
    if top == "widgets" or path[:2] == ("app", "gui"):
        yield from tip_faults(text)
        yield from label_faults(text)


def check(root):
    found = []
    for top in ("core", "app", "widgets"):
        for file in sorted(pathlib.Path(root, top).rglob("*")):
            if file.suffix not in (".h", ".cpp", ".cu"):
                continue
            text = file.read_text(encoding="utf-8")
            path = file.relative_to(root).parts
            found += [f"{'/'.join(path)}:{text.count(chr(10), 0, place) + 1}: {why}"
                      for place, why in complaints(path, text)]
    return found


def selftest():
    """The rules must bite, and must leave good calls alone."""
    offences = {
        "core/run/a.cpp": "if (fs::exists(folder / \"x\"))",
        "core/run/b.cpp": "for (const auto& entry : fs::directory_iterator(folder))",
        "core/run/c.cpp": "std::filesystem::rename(a, b);",
        "core/run/d.cpp": "fs::directory_iterator at(folder);",
        "core/run/e.cpp": "use(entry->is_directory());",
        "core/base/a.cpp": "thread_local bool inside = false;",
        "core/record/a.cpp": "return json.dump(2);",
        "core/sweep/a.cpp": "auto opened = openModel(reference, folder, 1);",
        "widgets/d.cpp": "return core::inspectModel(reference, folder, 1);",
        "app/cli/a.cpp": "fmt::print(\"{}\", name);",
        "app/gui/a.cpp": "button->setToolTip(name);",
        "app/gui/b.cpp": "button->setToolTip(tr(\"about %1\").arg(name));",
        "widgets/a.cpp": "box->setItemData(0, name, Qt::ToolTipRole);",
        "widgets/b.cpp": "QToolTip::showText(place, name, this);",
        "widgets/c.cpp": "auto* label = new QLabel(name, this);",
    }
    good = {
        "core/run/g.cpp": "fs::exists(folder, error); fs::exists(status); fs::equivalent(a, b, error);\n"
                          "fs::directory_iterator at(folder, error), end; each->is_regular_file(gone);\n",
        "core/record/g.cpp": "jsonText(json, 2); names.dumped();",
        "core/sweep/g.cpp": "openCheckedModel(reference, folder, 1); // see openModel",
        "app/cli/g.cpp": "say(\"{}\", name);",
        "app/gui/g.cpp": "a->setToolTip(tr(\"words (such, as)\")); b->setToolTip(widgets::plainTip(name));\n"
                         "c->setToolTip(on ? tr(\"yes\") : tr(\"no\")); box->setItemData(0, name, Qt::UserRole);\n"
                         "auto* label = new QLabel(name); label->setTextFormat(Qt::PlainText);\n"
                         "auto* other = new QLabel(tr(\"words\"), this);\n",
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**offences, **good}.items():
            file = pathlib.Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        found = check(folder)
    missed = [name for name in offences if not any(line.startswith(name + ":1:") for line in found)]
    return [f"not detected: {name}" for name in missed] + [line for line in found if "/g.cpp" in line]


if __name__ == "__main__":
    problems = selftest() if sys.argv[1] == "--selftest" else check(sys.argv[1])
    print("\n".join(problems) or "all calls are safe")
    sys.exit(1 if problems else 0)
