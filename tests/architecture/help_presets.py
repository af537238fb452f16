#!/usr/bin/env python3
"""Fails where the help page of a source system lists other presets than its folder has."""
import importlib.util
import pathlib
import sys


def maker_of(root):
    spec = importlib.util.spec_from_file_location("claims_page", root / "packaging/claims_page.py")
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


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
    return found


def selftest(root):
    maker = maker_of(root)
    maker.presets_of = lambda system: f"* another preset of {system}\n"
    if len(findings(root, maker)) != len(maker.PROFILES):
        sys.exit("a page with other presets was taken for right")
    print("finds what it should")


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[-1]).resolve()
    if sys.argv[1] == "--selftest":
        selftest(folder)
    else:
        wrong = findings(folder, maker_of(folder))
        if wrong:
            sys.exit("\n".join(wrong))
        print("help pages list the presets that there are")
