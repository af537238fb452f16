#!/usr/bin/env python3
"""Fails where a help page names a command that quantscope-cli does not take: every `quantscope-cli run presets/…` of the
pages is planned, and what stands beside it as an option of "run" is planned with a preset that has what it sets.

    test_help_commands.py CLI WORKER PROJECT

WORKER may be the fake one: it only names the devices, which takes the real one longer than most presets take to be planned.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

IMPOSSIBLE = 3  # where there is no GPU
# Options that stand by themselves in the table of a page, with a preset of that page.
OPTIONS_OF = {"12_resnet_precision.md": "resnet_precision/guide.json", "13_olmoearth.md": "olmoearth/int8_baseline.json",
              "14_surgical_compile.md": "surgical_compile/mini.json", "15_gptq.md": "gptq_compile/qwen3b.json",
              "18_vitok.md": "vitok/compile_int8_research.json"}


def commands_of(page):
    text = page.read_text(encoding="utf-8")
    for command in re.findall(r"`quantscope-cli (run presets/[^`]*)`", text):
        yield shlex.split(command)
    if page.name in OPTIONS_OF:
        for options in re.findall(r"`(--set [^`]*)`", text):
            yield ["run", f"presets/{OPTIONS_OF[page.name]}", *shlex.split(options)]


def main():
    cli, worker, project = (pathlib.Path(each).resolve() for each in sys.argv[1:])
    environment = {**os.environ, "QUANTSCOPE_WORKER": str(worker)}
    planned = 0
    with tempfile.TemporaryDirectory() as folder:
        for page in sorted((project / "resources/help").glob("*.md")):
            for command in commands_of(page):
                command = [f"{folder}/run" if each == "RUN" else each for each in command]
                result = subprocess.run([cli, *command, "--dry-run"], cwd=project, env=environment, capture_output=True,
                                        text=True, check=False)
                cells = re.search(r"^(\d+) cells?, ", result.stdout, re.M)
                assert result.returncode in (0, IMPOSSIBLE) and cells and int(cells[1]) > 0, (
                    page.name, command, result.returncode, result.stderr[-500:], result.stdout[-300:])
                planned += 1
    assert planned > 20, f"only {planned} commands were found"
    print(f"{planned} commands can be planned")


if __name__ == "__main__":
    main()
