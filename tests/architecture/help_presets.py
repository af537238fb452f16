#!/usr/bin/env python3
"""Fails where the help page of a source system lists other presets than its folder has, or holds a preset's run against
other claims than the preset makes."""
import importlib.util
import json
import pathlib
import re
import sys


def maker_of(root):
    spec = importlib.util.spec_from_file_location("claims_page", root / "packaging/claims_page.py")
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


def claims_of_presets(root, system, maker):
    presets = [json.loads(file.read_text(encoding="utf-8")) for file in (root / "presets" / system).glob("*.json")]
    return {preset["name"]: [maker.cell_text(each["claim"]) for each in preset.get("claims", [])] for preset in presets}


def claims_of_sections(page):
    """Of each "## PRESET, on DEVICE" what its table of claims has in the first column, if it has one."""
    for section in re.split(r"\n## ", page)[1:]:
        name, on, _ = section.partition("\n")[0].rpartition(", on ")
        _, table, rest = section.partition("| Claimed | Where |")
        if on and table:
            lines = rest.partition("\n\n")[0].splitlines()[2:]
            yield name, [re.split(r"(?<!\\)\|", line)[1].strip() for line in lines]


def wrong_claims(page, presets):
    return [name for name, claims in claims_of_sections(page) if name in presets and claims != presets[name]]


def findings(root, maker):
    pages = {page: page.read_text(encoding="utf-8") for page in sorted((root / "resources/help").glob("*.md"))}
    found = []
    for system, (title, _) in maker.PROFILES.items():
        page = next((each for each, text in pages.items() if text.startswith(f"# {title}\n")), None)
        if page is None:
            found.append(f"resources/help: no page begins with \"# {title}\"")
        elif maker.with_presets(pages[page], system) != pages[page]:
            found.append(f"{page.relative_to(root)}: its presets are not those of presets/{system}: "
                         f"packaging/claims_page.py {system} --out {page.relative_to(root)}")
        else:
            found += [f"{page.relative_to(root)}: the claims below \"{name}\" are not those of its preset"
                      for name in wrong_claims(pages[page], claims_of_presets(root, system, maker))]
    return found


def selftest(root):
    maker = maker_of(root)
    maker.presets_of = lambda system: f"* another preset of {system}\n"
    if len(findings(root, maker)) != len(maker.PROFILES):
        sys.exit("a page with other presets was taken for right")
    page = "# A\n\n## B, on a GPU\n\n| Claimed | Where |\n| --- | --- |\n| one \\| two | C |\n\nTimes:\n\n| Cell |\n"
    if wrong_claims(page, {"B": ["one \\| two"]}) or wrong_claims(page, {"B": ["one"]}) != ["B"]:
        sys.exit("claims of a preset were not compared")
    print("finds what it should")


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[-1]).resolve()
    if sys.argv[1] == "--selftest":
        selftest(folder)
    else:
        wrong = findings(folder, maker_of(folder))
        if wrong:
            sys.exit("\n".join(wrong))
        print("help pages have the presets and claims that there are")
