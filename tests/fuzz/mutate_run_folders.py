#!/usr/bin/env python3
"""Mutates journals, run folders and presets, and looks at what quantscope-cli makes of them.

    mutate_run_folders.py build/ci/bin/quantscope-cli --count 2000
    mutate_run_folders.py build/ci/bin/quantscope-cli --kinds journals --only 17 --keep

Each case runs with limits of time and memory. It fails if the program dies of a signal, takes too long, ends with an
exit code that is not documented, writes anywhere but into its own folder, or does not say that rows are lost.
Checksums are wrong in some journals and right in others, where the records themselves are hostile.
"""

import argparse
import collections
import concurrent.futures
import copy
import gzip
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import zlib

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = SOURCE / "resources/example_runs/demo_cpu_one_thread"
PRESETS = sorted((SOURCE / "presets").rglob("*.json"))
DOCUMENTED = {0, 1, 2, 3, 4, 5, 6, 75}
SECONDS = 60
RESUMED = 0.2  # of the folders: each may take its second
PRESETS_AT_A_TIME = 10
HEADER = {"format": "quantscope-journal", "schema_version": 1}
LINE = re.compile(rb"([1-9][0-9]{0,7}) ([0-9a-f]{8}) (.*)", re.DOTALL)
ODD = [None, True, -1, 0, 1e308, -1e308, 2**63, 2**64, 0.5, "", "x" * 5000, "../../elsewhere", "\u202e\x1b[31m",
       "=1+1", "<b>", "\n", [], {}, [[]], [None], {"a": 1}, "nan", 10**30, "\ud7ff"]


class Finding(Exception):
    """What a case must not do."""


# The template: a run as small as can be that still has every kind of record.

def line_of(record):
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return b"%d %08x %s\n" % (len(text), zlib.crc32(text), text)


def whole_number(text):
    """What a program can hold: a larger one would be rounded without a word, so it is damage."""
    if not -2**63 <= int(text) < 2**64:
        raise ValueError(text + " has more than 64 bits")
    return int(text)


def record_of(line):
    """The record of a line without its line feed; None if it is damaged."""
    match = LINE.fullmatch(line)
    if not match or int(match[1]) != len(match[3]) or int(match[2], 16) != zlib.crc32(match[3]):
        return None
    try:
        return json.loads(match[3], parse_int=whole_number)
    except ValueError:
        return None


def make_template(folder):
    plan = json.loads((EXAMPLE / "plan.json").read_text())
    plan["cells"] = plan["cells"][:6]
    known = {cell["id"] for cell in plan["cells"]}
    plan["cells"] = [cell for cell in plan["cells"] if cell["reference_id"] in known]
    known = {cell["id"] for cell in plan["cells"]}
    counts, lines = collections.Counter(), [line_of(HEADER)]
    for line in (EXAMPLE / "journal.jsonl").read_bytes().splitlines()[1:]:
        record = record_of(line)
        kind = record["type"]
        if kind != "event" and record["cell"] not in known:
            continue
        counts[kind] += 1
        if counts[kind] <= {"row": 14, "quality": 8, "event": 4}[kind]:
            lines.append(line + b"\n")
    (folder / "inputs").mkdir(parents=True)
    (folder / "cells").mkdir()
    (folder / "inputs/names.json").write_text('["one.png", "two.png"]')
    (folder / "plan.json").write_text(json.dumps(plan))
    shutil.copy(EXAMPLE / "environment.json", folder / "environment.json")
    (folder / "journal.jsonl").write_bytes(b"".join(lines))


# Mutations of bytes: the disk.

def noise(chance, length):
    return chance.randbytes(length)


def some_range(chance, data, most):
    begin = chance.randrange(len(data))
    return begin, min(len(data), begin + chance.randint(1, most))


def flip_bits(chance, data):
    data = bytearray(data)
    for _ in range(chance.choice([1, 1, 1, 2, 8])):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def overwrite(chance, data):
    begin, end = some_range(chance, data, 3000)
    return data[:begin] + chance.choice([noise(chance, end - begin), bytes(end - begin)]) + data[end:]


def insert_noise(chance, data):
    at = chance.randrange(len(data) + 1)
    length = chance.choice([1, 40, 512, 4096, 65536])
    return data[:at] + chance.choice([noise(chance, length), bytes(length), b"\n" * 5, b"x" * length]) + data[at:]


def cut_out(chance, data):
    begin, end = some_range(chance, data, 5000)
    return data[:begin] + data[end:]


def truncate(chance, data):
    return data[:chance.randrange(len(data) + 1)]


def replace_all(chance, data):
    return noise(chance, chance.choice([0, 1, 100, 65536]))


def with_lines(change):
    def mutate(chance, data):
        lines = data.splitlines(keepends=True)
        change(chance, lines)
        return b"".join(lines)
    return mutate


def duplicate_lines(chance, lines):
    for _ in range(chance.randint(1, 5)):
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))


def swap_lines(chance, lines):
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def drop_lines(chance, lines):
    del lines[chance.randrange(len(lines))]


def join_lines(chance, lines):
    at = chance.randrange(len(lines))
    lines[at] = lines[at].rstrip(b"\n") + chance.choice([b"", b" ", b"J"])


BYTES = [flip_bits, flip_bits, flip_bits, overwrite, insert_noise, cut_out, truncate, replace_all,
         with_lines(duplicate_lines), with_lines(swap_lines), with_lines(drop_lines), with_lines(join_lines)]


# Mutations of documents: somebody who means harm, or another version.

def places(value, found):
    """All containers of a document with the keys of their members."""
    if isinstance(value, (dict, list)):
        for key in (value if isinstance(value, dict) else range(len(value))):
            found.append((value, key))
            places(value[key], found)
    return found


def odd_value(chance):
    return copy.deepcopy(chance.choice(ODD))


def mutate_document(chance, document):
    document = copy.deepcopy(document)
    for _ in range(chance.choice([1, 1, 2, 4])):
        found = places(document, [])
        if not found:
            return odd_value(chance)
        container, key = chance.choice(found)
        action = chance.randrange(5)
        if action == 0:
            del container[key]
        elif action == 1 and isinstance(container, dict):
            container[chance.choice(["odd", "", "type", "\u202e", "x" * 300])] = odd_value(chance)
        elif action == 2 and isinstance(container, list):
            container.extend([copy.deepcopy(container[key])] * chance.choice([1, 3, 200]))
        elif action == 3 and isinstance(container[key], (int, float)) and not isinstance(container[key], bool):
            container[key] = chance.choice([-container[key], container[key] * 1e9, container[key] + 1, 0, 1e-320])
        else:
            container[key] = odd_value(chance)
    return document


def json_text(document):
    # A lone surrogate or a number beyond all bounds is part of the trade.
    return json.dumps(document, ensure_ascii=True, allow_nan=True).encode()


def mutate_records(chance, data):
    """With right checksums."""
    lines = data.splitlines(keepends=True)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        record = record_of(lines[at].rstrip(b"\n"))
        if record is not None:
            text = json_text(mutate_document(chance, record))
            lines[at] = b"%d %08x %s\n" % (len(text), zlib.crc32(text), text)
    return b"".join(lines)


# The program, with limits.

class Runner:
    def __init__(self, program, work, memory_mib, worker):
        self.program, self.work, self.memory_mib, self.worker = program, work, memory_mib, worker
        self.home = work / "home"
        self.home.mkdir()

    def limit(self):
        if self.memory_mib:
            resource.setrlimit(resource.RLIMIT_AS, (self.memory_mib << 20, self.memory_mib << 20))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (256 << 20, 256 << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def run(self, *arguments):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "TMPDIR": str(self.home), "LC_ALL": "C.UTF-8"}
        if self.worker:
            environment |= {"QUANTSCOPE_WORKER": str(self.worker), "QUANTSCOPE_CACHE": str(self.work / "cache")}
        for name, value in os.environ.items():
            if name.endswith("SAN_OPTIONS"):
                environment[name] = value
        try:
            done = subprocess.run([self.program, *map(str, arguments)], cwd=self.home, env=environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=2 * SECONDS,
                                  preexec_fn=self.limit, check=False)
        except subprocess.TimeoutExpired as late:
            raise Finding("takes too long") from late
        if done.returncode < 0 or done.returncode not in DOCUMENTED:
            raise Finding("ended with %d: %s" % (done.returncode, done.stderr[-2000:].decode(errors="replace")))
        if len(done.stdout) + len(done.stderr) > 1 << 20:
            raise Finding("%d bytes of text" % (len(done.stdout) + len(done.stderr)))
        for letter in done.stdout + done.stderr:
            if letter < 0x20 and letter not in b"\n\t":
                raise Finding("control character %d on the terminal" % letter)
        return done


def fingerprint(folder):
    """Of everything in a folder."""
    marks = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        marks.update(repr((str(path), status.st_mode, status.st_size, status.st_mtime_ns)).encode())
    return marks.hexdigest()


def report(runner, run, out):
    before = fingerprint(run)
    done = runner.run("report", run, "--out", out, "--md", "--json")
    if fingerprint(run) != before:
        raise Finding("the run was changed by reading it")
    return done


# What must be said of a journal.

class Expected:
    """An independent look at a journal: its whole lines, and whether others are between them."""

    def __init__(self, data):
        *lines, tail = data.split(b"\n")
        records = [record_of(line) for line in lines]
        # The last line may be an append that did not finish: it has no line feed, or zeros.
        unfinished = bool(lines) and not tail and records[-1] is None and b"\0" in lines[-1]
        self.damaged = any(record is None for record in records[:len(records) - unfinished])
        rows = [json.dumps(record, sort_keys=True) for record in records
                if isinstance(record, dict) and record.get("type") == "row"]
        self.rows = set(rows)


def check_told(done, out, expected):
    """Lost rows are said in the exit code, on the terminal, in the summary and in the JSON."""
    if done.returncode != 1:
        raise Finding("exit code %d for a damaged journal" % done.returncode)
    if b"warning: " not in done.stdout:
        raise Finding("no warning on the terminal")
    if "**Warning**" not in (out / "summary.md").read_text():
        raise Finding("no warning in summary.md")
    document = json.loads((out / "report.json").read_text())
    if not document["left_out"]["loss"]:
        raise Finding("no loss in report.json")
    if len(document["measurements"]) < len(expected.rows) - document["left_out"]["records_not_understood"] \
            - document["left_out"]["records_that_contradict"]:
        raise Finding("%d rows of %d whole ones" % (len(document["measurements"]), len(expected.rows)))


def check_repair(runner, run, folder, rows):
    copy_ = folder / "repaired"
    done = runner.run("repair", run, "--out", copy_)
    if done.returncode != 0:
        raise Finding("repair ended with %d: %s" % (done.returncode, done.stderr.decode(errors="replace")))
    again = report(runner, copy_, folder / "repaired-report")
    if again.returncode != 0:
        raise Finding("the repaired run is not sound: %s" % again.stdout.decode(errors="replace"))
    document = json.loads((folder / "repaired-report/report.json").read_text())
    if len(document["measurements"]) != rows:
        raise Finding("%d rows after the repair, %d before" % (len(document["measurements"]), rows))


def check_journal(runner, folder, expected):
    run, out = folder / "run", folder / "report"
    done = report(runner, run, out)
    if done.returncode in (2, 3):
        if not done.stderr:
            raise Finding("refused without a word")
        return
    if expected.damaged:
        check_told(done, out, expected)
    if done.returncode == 1:
        check_repair(runner, run, folder, len(json.loads((out / "report.json").read_text())["measurements"]))


def journal_case(runner, template, folder, chance):
    run = folder / "run"
    shutil.copytree(template, run)
    whole = (run / "journal.jsonl").read_bytes()
    hostile = chance.random() < 0.4
    data = mutate_records(chance, whole) if hostile else chance.choice(BYTES)(chance, whole)
    if chance.random() < 0.2:
        data = chance.choice(BYTES)(chance, data) if data else data
    (run / "journal.jsonl").write_bytes(data)
    check_journal(runner, folder, Expected(data))


def unpacked(packed):
    """What comes of a packed journal, and whether all of it does."""
    data = b""
    while True:
        part = zlib.decompressobj(31)
        try:
            # Byte by byte: what is before damage is wanted.
            for at in range(len(packed)):
                data += part.decompress(packed[at:at + 1])
                if part.eof:
                    break
        except zlib.error:
            return data, False
        if not part.eof:
            return data, False
        packed = packed[at + 1:]
        if not packed:
            return data, True


def packed_case(runner, template, folder, chance):
    run = folder / "run"
    shutil.copytree(template, run)
    whole = (run / "journal.jsonl").read_bytes()
    (run / "journal.jsonl").unlink()
    packed = gzip.compress(mutate_records(chance, whole) if chance.random() < 0.3 else whole)
    packed = chance.choice(BYTES)(chance, packed) if chance.random() < 0.8 else packed
    (run / "journal.jsonl.gz").write_bytes(packed)
    data, all_of_it = unpacked(packed)
    expected = Expected(data)
    expected.damaged |= not all_of_it
    check_journal(runner, folder, expected)


def other_kind(chance, path):
    """Something that is no such file."""
    path.unlink()
    kind = chance.randrange(4)
    if kind == 0:
        path.mkdir()
    elif kind == 1:
        path.symlink_to(chance.choice(["/dev/zero", "/etc/passwd", "nowhere", path.name, "/"]))
    elif kind == 2:
        os.mkfifo(path)


def folder_case(runner, template, folder, chance):
    run = folder / "run"
    shutil.copytree(template, run)
    path = run / chance.choice(["plan.json", "plan.json", "environment.json", "inputs/names.json", "journal.jsonl"])
    action = chance.random()
    if action < 0.15:
        other_kind(chance, path)
    elif action < 0.4 or path.name == "journal.jsonl":
        path.write_bytes(chance.choice(BYTES)(chance, path.read_bytes()))
    else:
        path.write_bytes(json_text(mutate_document(chance, json.loads(path.read_text()))))
    done = report(runner, run, folder / "report")
    if done.returncode in (2, 3) and not done.stderr:
        raise Finding("refused without a word")
    done = runner.run("repair", run, "--out", folder / "repaired")
    if done.returncode != 0 and not done.stderr:
        raise Finding("refused without a word")
    if runner.worker and chance.random() < RESUMED:
        done = runner.run("run", "--resume", "--out", run, "--trust-paths", "--max-time", "1")
        if done.returncode not in (0, 1, 75) and not done.stderr:
            raise Finding("not resumed, without a word")


def preset_cases(runner, folder, chances):
    files = []
    for index, chance in chances:
        data = chance.choice(PRESETS).read_bytes()
        if chance.random() < 0.4:
            data = chance.choice(BYTES)(chance, data)
        else:
            data = json_text(mutate_document(chance, json.loads(data)))
        files.append(folder / ("%d.json" % index))
        files[-1].write_bytes(data)
    done = runner.run("preset", "check", *files)
    if done.returncode not in (0, 2):
        raise Finding("exit code %d" % done.returncode)
    said = (done.stdout + done.stderr).decode(errors="replace")
    for file in files:
        if str(file) not in said:
            raise Finding("nothing is said of " + file.name)


def chance_of(options, kind, index):
    return random.Random("%s %s %s" % (options.seed, kind, index))


def cases(options, runner, template, work):
    """Pairs of a name and what is to be called."""
    wanted = range(options.count) if options.only is None else [options.only]
    for kind, case in (("journals", journal_case), ("packed", packed_case), ("folders", folder_case)):
        for index in wanted if kind in options.kinds else []:
            folder = work / ("%s-%d" % (kind, index))
            yield folder, lambda case=case, folder=folder, chance=chance_of(options, kind, index): \
                case(runner, template, folder, chance)
    if "presets" in options.kinds:
        for first in wanted[::PRESETS_AT_A_TIME]:
            chances = [(i, chance_of(options, "presets", i))
                       for i in wanted if first <= i < first + PRESETS_AT_A_TIME]
            folder = work / ("presets-%d" % first)
            yield folder, lambda folder=folder, chances=chances: preset_cases(runner, folder, chances)


def run_case(folder, call, keep):
    folder.mkdir()
    try:
        call()
    except Finding as finding:
        return "%s: %s" % (folder.name, finding)
    finally:
        if not keep:
            shutil.rmtree(folder)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="quantscope-cli")
    parser.add_argument("--worker", type=pathlib.Path, help="that measures nothing; without it no run is resumed")
    parser.add_argument("--count", type=int, default=2000, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", default=["journals", "packed", "folders", "presets"])
    parser.add_argument("--only", type=int, help="this case alone")
    parser.add_argument("--keep", action="store_true", help="leave the folders of the cases")
    parser.add_argument("--memory-mib", type=int, default=1024, help="address space of the program; 0: no limit")
    options = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="quantscope-mutations-"))
    try:
        runner = Runner(options.program.resolve(), work, options.memory_mib,
                        options.worker and options.worker.resolve())
        make_template(work / "template")
        if report(runner, work / "template", work / "template-report").returncode != 0:
            sys.exit("the template itself is not sound")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda case: run_case(*case, options.keep),
                                    cases(options, runner, work / "template", work)))
        findings = [finding for finding in results if finding]
        if any(runner.home.iterdir()):
            findings.append("files were left in the home or temporary folder")
    finally:
        if options.keep:
            print("kept in", work)
        else:
            shutil.rmtree(work)
    print("%d cases, %d findings" % (len(results), len(findings)))
    print("\n".join(findings[:50]))
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
