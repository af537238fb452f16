#!/usr/bin/env python3
"""A stranger's run folder is reported, bundled, resumed and opened in the window: nothing outside of it is written.

Usage: test_strange_runs.py CLI WORKER SOURCE_DIR [WINDOW]
WORKER may be the fake one: what is measured does not matter. With strace, every system call that opens a file is
looked at; without it, only what lies outside afterwards.
"""
import binascii
import csv
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

CLI, WORKER, SOURCE = sys.argv[1:4]
WINDOW = sys.argv[4] if len(sys.argv) > 4 else None
STRACE = shutil.which("strace")
TIMEOUT = 120  # seconds, for what hangs

PRESET = {
    "schema_version": 1, "name": "tiny",
    "defaults": {"model": "vitok:w64_d1_h2-w48_d2_h3/1x8x16", "device": "cpu", "precision": "bf16", "compile": "none",
                 "image_size": 32},
    "axes": {"precision": ["bf16", "int8dq"]}, "rounds": 1, "noise_floor": False,
    "measurement": {"minimum_warmup_seconds": 0.01, "maximum_warmup_seconds": 0.05, "minimum_sample_seconds": 0.01,
                    "maximum_sample_seconds": 0.05, "minimum_samples": 3, "maximum_samples": 5},
    "pictures": {"source": "procedural", "count": 2}}

HTML = '<img src="file:///etc/passwd"><b>bold</b>'
FORMULA = "=cmd|' /C calc'!A0"
HOSTILE = f"{HTML} \u001b[2J\u001b]0;title\u0007 \u202egpj.exe https://evil.example www.evil.example \u009b31m"
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
WRITES = re.compile(r"\bO_(WRONLY|RDWR|CREAT|TRUNC|APPEND)\b")


def journal_line(record):
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return b"%d %08x %s\n" % (len(text), binascii.crc32(text), text)


def records(run):
    """The records of a journal; the header is the first line."""
    lines = (run / "journal.jsonl").read_bytes().splitlines()
    return [json.loads(line.split(b" ", 2)[2]) for line in lines]


def write_records(run, all_records):
    (run / "journal.jsonl").write_bytes(b"".join(map(journal_line, all_records)))


def snapshot(folder):
    """What stands in the folder, links as links."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = "-> " + os.readlink(path)
        elif path.is_file():
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            found[name] = "other"
    return found


class Place(unittest.TestCase):
    """A home that must not change, with the user's own cache and settings beside it."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="quantscope-strange-"))
                                   if hasattr(self, "enterContext") else self.made())
        self.folder = self.folder.resolve()
        self.home, self.own, self.temporary = (self.folder / name for name in ("home", "own", "tmp"))
        for folder in (self.home, self.own, self.temporary):
            folder.mkdir()
        (self.home / ".bashrc").write_text("# mine\n")
        (self.home / "Documents").mkdir()
        (self.home / "Documents/output_0.npy").write_text("mine\n")
        (self.home / "secret.safetensors").write_text("mine\n")
        self.run_folder = self.folder / "stranger"
        self.environment = {
            **{name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "ASAN_OPTIONS")},
            "HOME": str(self.home), "QUANTSCOPE_CACHE": str(self.own / "cache"), "XDG_CONFIG_HOME": str(self.own),
            "XDG_CACHE_HOME": str(self.own), "XDG_DATA_HOME": str(self.own), "XDG_RUNTIME_DIR": str(self.own),
            "TMPDIR": str(self.temporary), "QUANTSCOPE_WORKER": WORKER,
            "QUANTSCOPE_RESOURCES": f"{SOURCE}/resources", "QUANTSCOPE_PRESETS": f"{SOURCE}/presets",
            "QT_QPA_PLATFORM": "offscreen"}

    def made(self):
        folder = tempfile.mkdtemp(prefix="quantscope-strange-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        return folder

    def start(self, arguments, **more):
        return subprocess.run(arguments, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT, check=False, **more)

    def make_run(self, **changes):
        preset = self.folder / "preset.json"
        preset.write_text(json.dumps({**PRESET, **changes}))
        done = self.start([CLI, "run", preset, "--out", self.run_folder])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # Whoever gets it has begun no run and agreed to nothing.
        shutil.rmtree(self.own / "cache", ignore_errors=True)


class StrangeRun(Place):
    def setUp(self):
        super().setUp()
        self.make_run()
        self.before = snapshot(self.home)

    def watched(self, arguments, code):
        """Runs it; fails if anything but the run, the user's own folders and `out` was opened for writing."""
        trace = self.folder / "trace"
        watch = [STRACE, "-f", "-y", "-qq", "-s", "4096", "-e", "trace=file", "-o", trace] if STRACE else []
        done = self.start(watch + arguments)
        shown = (done.stdout + done.stderr).decode()  # fails if it is not UTF-8
        self.assertIsNone(HARMFUL.search(shown), repr(shown))
        self.assertIn(done.returncode, code, shown)
        self.assertEqual(snapshot(self.home), self.before, arguments)
        if STRACE:
            self.check_trace(trace.read_text(errors="replace"), shown)
        return shown

    def check_trace(self, trace, shown):
        # Links were resolved by the kernel in what it says of a descriptor.
        allowed = [str(self.folder / name) for name in ("stranger", "own", "tmp", "out")]
        for line in trace.splitlines():
            match = re.search(r"\b(?:open|openat|openat2|creat)\((.*)\) = \d+<(/[^>]*)>", line)
            if not match or not (WRITES.search(match.group(1)) or "creat(" in line):
                continue
            path = match.group(2)
            fine = any(path == root or path.startswith(root + "/") for root in allowed) or path.startswith("/dev/") \
                or path.startswith("/proc/") or path.startswith("/memfd:")
            self.assertTrue(fine, f"opened for writing: {line}\n{shown}")
        self.assertIn("openat(", trace)
        self.assertNotIn('"' + str(self.home / "secret.safetensors") + '"', trace)

    def use_everything(self, resumed=(0, 1, 2)):
        """All that a user may do with it. Refusals are fine; writing elsewhere, or dying, is not."""
        run = self.run_folder
        shown = self.watched([CLI, "report", run], (0, 1, 2))
        for more in (["--out", self.folder / "out"], ["--bundle", self.folder / "out" / "bundle.tar"]):
            (self.folder / "out").mkdir(exist_ok=True)
            shown += self.watched([CLI, "report", run, *more], (0, 1, 2))
        shown += self.watched([CLI, "run", "--resume", "--retry-failed", "--out", run], resumed)
        shown += self.watched([CLI, "run", self.folder / "preset.json", "--append", "--set", "batch=3", "--out", run],
                              resumed)
        return shown

    def open_window(self):
        picture = self.folder / "out" / "window.png"
        picture.parent.mkdir(exist_ok=True)
        self.watched([WINDOW, "--run", self.run_folder, "--settings", self.own / "settings.ini", "--runs",
                      self.own / "runs", "--screenshot", picture], (0,))
        self.assertTrue(picture.exists())

    def replace_by_link(self, name, target):
        path = self.run_folder / name
        if path.is_dir():
            shutil.rmtree(path)
        elif path.exists():
            path.unlink()
        path.symlink_to(target)

    def test_links_in_every_place(self):
        cell = json.loads((self.run_folder / "plan.json").read_text())["cells"][0]["id"]
        whole = self.folder / "whole"
        self.run_folder.rename(whole)
        shutil.copy(whole / "journal.jsonl", self.home / "journal.jsonl")
        self.before = snapshot(self.home)
        bashrc, documents = self.home / ".bashrc", self.home / "Documents"
        for name, target in (
                ("log.txt", bashrc), ("log.txt", self.home / "new"), ("plan.json", bashrc), ("environment.json", bashrc),
                ("journal.jsonl", self.home / "journal.jsonl"), ("cells", documents), ("inputs", documents),
                (f"cells/{cell}", documents), (f"cells/{cell}/output_0.npy", documents / "output_0.npy"),
                (f"cells/{cell}/output_0.png", bashrc), ("inputs/pictures_32.npy", bashrc),
                ("inputs/picture_32_0.png", bashrc), ("inputs/names.json", bashrc), ("summary.md", bashrc),
                ("cells.csv", bashrc), ("report.json", self.home / "new.json")):
            with self.subTest(name=name):
                shutil.rmtree(self.run_folder, ignore_errors=True)
                shutil.copytree(whole, self.run_folder)
                self.replace_by_link(name, target)
                shown = self.use_everything()
                if name in ("plan.json", "environment.json", "journal.jsonl", "cells", "summary.md"):
                    self.assertIn(f"{name} is a link", shown)

    def test_pipes_hang_nothing(self):
        whole = self.folder / "whole"
        self.run_folder.rename(whole)
        for name in ("plan.json", "environment.json", "journal.jsonl", "log.txt", "inputs/pictures_32.npy",
                     "inputs/names.json"):
            with self.subTest(name=name):
                shutil.rmtree(self.run_folder, ignore_errors=True)
                shutil.copytree(whole, self.run_folder)
                (self.run_folder / name).unlink(missing_ok=True)
                os.mkfifo(self.run_folder / name)
                self.use_everything()

    def make_texts_hostile(self):
        plan = json.loads((self.run_folder / "plan.json").read_text())
        plan["preset"]["name"] = "Name " + HOSTILE
        plan["preset"]["description"] = HOSTILE
        plan["cells"][1]["notes"] = [["remark", HOSTILE]]
        impossible = {**plan["cells"][1], "id": "impossible", "impossible": [["remark", HOSTILE]]}
        plan["cells"].append(impossible)
        (self.run_folder / "plan.json").write_text(json.dumps(plan))
        (self.run_folder / "inputs/names.json").write_text(json.dumps([f"x\ntouch PWNED\n#{HTML}.png", FORMULA]))
        all_records = records(self.run_folder)
        row = next(each for each in all_records if each.get("type") == "row")
        row["result"]["stages"] = [{"stage": FORMULA, "gpu_s": [0.001], "host_s": [0.001]}] \
            if not row["result"].get("stages") else [{**row["result"]["stages"][0], "stage": FORMULA}]
        row["result"]["executed"] = [{"stage": HOSTILE, "scheme": HOSTILE, "matched": 1, "layers": 1,
                                      "activation_rule": HOSTILE,
                                      "products": [{"operation": HOSTILE, "type": "int32", "ran": 1, "expected": 2}]}]
        row["result"]["notes"] = [["remark", HOSTILE], ["foreign_process", HOSTILE, 812.0, 0.0]]
        failed = {**row, "round": 0, "attempt": 7, "result": {},
                  "failure": {"kind": "io", "phase": "outputs", "detail": FORMULA + HOSTILE, "amount": 0.0},
                  "log_tail": HOSTILE}
        all_records += [failed, {"type": "event", "at": HOSTILE, "kind": "warning", "notes": [["remark", HOSTILE]]}]
        write_records(self.run_folder, all_records)

    def test_hostile_texts_are_only_texts(self):
        self.make_texts_hostile()
        shown = self.use_everything()
        self.assertIn("evil.example", shown, "the warning is told")
        out = self.folder / "out"
        summary = (out / "summary.md").read_text()
        self.assertIsNone(HARMFUL.search(summary))
        self.assertNotRegex(summary, r"<(img|b)\b")
        self.assertNotRegex(summary, r"(?<!\\)://|(?i:www)\.evil")
        for name in ("cells.csv", "measurements.csv", "samples.csv"):
            with open(out / name, newline="", encoding="utf-8") as file:
                for line in csv.reader(file):
                    for field in line:
                        number = re.fullmatch(r"[-+]?[0-9.]+(e[-+]?\d+)?", field)
                        self.assertTrue(number or not field.startswith(tuple("=+-@\t\r\n")), (name, field))
        self.assertIsNone(HARMFUL.search((out / "report.json").read_text()))
        log = self.run_folder / "log.txt"
        if log.exists():
            self.assertNotIn("\ntouch", log.read_text())

    @unittest.skipUnless(WINDOW, "built without a window")
    def test_the_window_writes_nothing_either(self):
        self.make_texts_hostile()
        for name, target in (("log.txt", self.home / ".bashrc"), ("inputs", self.home / "Documents"),
                             ("cells", self.home / "Documents")):
            self.replace_by_link(name, target)
        self.open_window()

    def test_names_of_pictures_are_one_line_of_the_log(self):
        pictures = self.folder / "pictures"
        pictures.mkdir()
        for name in (b"x\ntouch PWNED\n#.png", b"p\xff.png", b"\x1b[2J.png", HTML.replace("/", "").encode() + b".png"):
            shutil.copy(f"{SOURCE}/tests/golden/image/colour420.jpg", os.path.join(os.fsencode(pictures), name))
            with open(os.path.join(os.fsencode(pictures), b"broken " + name), "w") as broken:
                broken.write("no picture")
        shutil.rmtree(self.run_folder)
        self.watched([CLI, "run", self.folder / "preset.json", "--images", pictures, "--out", self.run_folder], (0,))
        log = (self.run_folder / "log.txt").read_text()
        self.assertIn("broken x touch PWNED", log)
        self.assertIsNone(HARMFUL.search(log.replace("\n", "")))
        self.assertTrue(all(line.startswith("image left out: ") for line in log.splitlines()), log)

    def test_a_log_that_is_a_link_is_not_written(self):
        pictures = self.folder / "pictures"
        pictures.mkdir()
        shutil.copy(f"{SOURCE}/tests/golden/image/colour420.jpg", pictures / "a.jpg")
        (pictures / "x\ntouch PWNED\n#.png").write_text("no picture")
        shutil.rmtree(self.run_folder)
        begun = self.start([CLI, "run", self.folder / "preset.json", "--images", pictures, "--out", self.run_folder])
        self.assertEqual(begun.returncode, 0, begun.stderr)
        self.replace_by_link("log.txt", self.home / ".bashrc")
        # Pictures of another size are made, and the one that cannot be read goes into the log again.
        self.watched([CLI, "run", self.folder / "preset.json", "--append", "--images", pictures, "--set",
                      "image_size=48", "--out", self.run_folder], (0,))
        self.assertTrue((self.run_folder / "inputs/pictures_48.npy").exists())

    def name_paths(self):
        plan = json.loads((self.run_folder / "plan.json").read_text())
        plan["preset"]["pictures"]["source"] = str(self.home)
        for cell in plan["cells"]:
            cell["configuration"]["model"] = str(self.home / "secret.safetensors")
        (self.run_folder / "plan.json").write_text(json.dumps(plan))

    def test_paths_of_a_plan_are_agreed_to_first(self):
        self.name_paths()
        journal = (self.run_folder / "journal.jsonl").read_bytes()
        for arguments in (["--resume"], [self.folder / "preset.json", "--append", "--set", "batch=3"]):
            # A trace that names the file would be a read; check_trace fails for it.
            shown = self.watched([CLI, "run", *arguments, "--out", self.run_folder], (2,))
            self.assertIn(str(self.home / "secret.safetensors"), shown)
            self.assertIn("--trust-paths", shown)
            self.assertEqual((self.run_folder / "journal.jsonl").read_bytes(), journal)
        agreed = self.start([CLI, "run", "--resume", "--trust-paths", "--out", self.run_folder])
        self.assertNotIn(agreed.returncode, (2, -6), agreed.stderr)
        again = self.start([CLI, "run", "--resume", "--out", self.run_folder])
        self.assertNotIn(b"--trust-paths", again.stderr, "asked once")

    def test_whoever_began_a_run_is_not_asked(self):
        shutil.rmtree(self.run_folder)
        pictures = self.folder / "pictures"
        pictures.mkdir()
        shutil.copy(f"{SOURCE}/tests/golden/image/colour420.jpg", pictures / "a.jpg")
        begun = self.start([CLI, "run", self.folder / "preset.json", "--images", pictures, "--out", self.run_folder])
        self.assertEqual(begun.returncode, 0, begun.stderr)
        self.assertEqual((self.own / "cache/agreed_paths.json").stat().st_mode & 0o777, 0o600)
        resumed = self.start([CLI, "run", "--resume", "--out", self.run_folder])
        self.assertEqual(resumed.returncode, 0, resumed.stderr)


class Ends(Place):
    """Whatever is wrong ends in a sentence and a code, never in a signal."""

    def end(self, arguments, code, sentence=b"", **more):
        done = self.start(arguments, **more)
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        self.assertNotIn(b"terminate called", done.stderr)
        if code:
            self.assertIn(sentence, done.stderr)
            self.assertTrue(done.stderr.strip())
            self.assertLess(len(done.stderr), 20_000)
        return done

    def test_names(self):
        self.make_run()
        preset = self.folder / "preset.json"
        for bad in ("", b"p\xff", "n" * 300, "/" + "n" * 5000, "/dev/null/x", "a/" * 2500 + "a", "/dev/zero"):
            with self.subTest(bad=bad[:20]):
                self.end([CLI, "report", bad], 2)
                self.end([CLI, "run", "--resume", "--out", bad], 2)
                self.end([CLI, "run", preset, "--out", bad], 2)
                self.end([CLI, "run", bad, "--out", self.folder / "never"], 2)
                self.end([CLI, "run", preset, "--images", bad, "--out", self.folder / "never"], 2)
                self.end([CLI, "run", preset, "--model", bad, "--out", self.folder / "never"], 2)
                self.end([CLI, "preset", "check", bad], 2)
                self.end([CLI, "inspect", bad], 2)
                self.end([CLI, "report", self.run_folder, "--out", bad], 2)
                shutil.rmtree(self.folder / "never", ignore_errors=True)

    def test_a_folder_whose_name_is_not_utf8(self):
        place = os.path.join(os.fsencode(self.folder), b"p\xff")
        os.mkdir(place)
        (self.folder / "preset.json").write_text(json.dumps(PRESET))
        done = subprocess.run([CLI, "run", self.folder / "preset.json", "--out", "run"], env=self.environment, cwd=place,
                              capture_output=True, timeout=TIMEOUT, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"UTF-8", done.stderr)
        self.assertEqual(os.listdir(place), [])

    def test_foreign_folders(self):
        self.make_run()
        (self.home / "summary.md").write_text("mine\n")
        before = snapshot(self.home)
        self.end([CLI, "run", self.folder / "preset.json", "--out", self.home], 2, b"use a new or empty folder")
        self.end([CLI, "report", self.run_folder, "--out", self.home], 2, b"summary.md already exists")
        self.assertEqual(snapshot(self.home), before)

    def test_pipes(self):
        self.make_run()
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.end([CLI, "preset", "check", pipe], 2, b"not a regular file")
        self.end([CLI, "run", self.folder / "preset.json", "--images", pipe, "--out", self.folder / "x"], 2,
                 b"not a regular file")

    def test_presets_do_not_talk_to_the_terminal(self):
        file = self.folder / "evil.json"
        file.write_text(json.dumps({**PRESET, "k\u001b[2Jey\n/tmp/x: ok, 1 cell": 1, "rounds": HOSTILE}))
        done = self.end([CLI, "preset", "check", file], 2)
        self.assertIsNone(HARMFUL.search(done.stderr.decode()))
        self.assertFalse(any(line.startswith(b"/tmp/x: ok") for line in done.stderr.splitlines()))

    @unittest.skipUnless(os.geteuid() == 0, "needs a user to become")
    def test_closed_folders(self):
        self.make_run()
        for folder in (self.folder, *self.folder.rglob("*")):
            if folder.is_dir():
                folder.chmod(0o755)
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
        try:
            if self.start([CLI, "--version"], **nobody).returncode != 0:
                self.skipTest("nobody may not start the program")
        except OSError:
            self.skipTest("nobody may not start the program")
        closed = self.folder / "closed"
        shutil.copytree(self.run_folder, closed / "run")
        closed.chmod(0o700)
        preset = self.folder / "preset.json"
        self.end([CLI, "report", closed / "run"], 2, b"Permission denied", **nobody)
        self.end([CLI, "run", "--resume", "--out", closed / "run"], 2, b"Permission denied", **nobody)
        self.end([CLI, "run", preset, "--out", closed / "new"], 2, b"Permission denied", **nobody)
        self.end([CLI, "run", preset, "--images", closed / "images", "--out", "/tmp/quantscope-never"], 2,
                 b"Permission denied", **nobody)
        shutil.rmtree("/tmp/quantscope-never", ignore_errors=True)

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "a sanitizer needs all the addresses there are")
    def test_too_little_memory(self):
        self.make_run()
        text = "x" * 2000
        write_records(self.run_folder, records(self.run_folder) + [
            {"type": "event", "at": "", "kind": "note", "notes": [["remark", text]]} for _ in range(40_000)])
        limits = range(16, 400, 8)

        def limited(arguments, megabytes):
            return self.start(arguments, preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_AS, (megabytes << 20, megabytes << 20)))
        least = next(limit for limit in limits if limited([CLI, "--version"], limit).returncode == 0)
        codes = set()
        for limit in range(least + 16, least + 160, 24):
            done = limited([CLI, "report", self.run_folder, "--json"], limit)
            self.assertIn(done.returncode, (0, 4), done.stderr)
            if done.returncode == 4:
                self.assertIn(b"not enough memory", done.stderr)
            codes.add(done.returncode)
        self.assertIn(4, codes)

    @unittest.skipUnless(WINDOW, "built without a window")
    def test_without_a_display(self):
        for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
            self.environment.pop(name, None)
        self.assertIn(b"--screenshot", self.end([WINDOW, "--help"], 0).stdout)
        self.assertIn(b"quantscope", self.end([WINDOW, "--version"], 0).stdout)
        self.end([WINDOW], 1, b"no display")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
