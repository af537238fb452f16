#!/usr/bin/env python3
"""A stranger's run folder is reported, bundled, compared, repaired, resumed and opened in the window: nothing outside of
it is written.

Usage: test_strange_runs.py CLI WORKER SOURCE_DIR [WINDOW]
WORKER may be the fake one: what is measured does not matter. Every system call that may change a file is looked at, of
all threads and of the programs that they start.
"""
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import traced_calls
from strange_place import CLI, FORMULA, HARMFUL, HOSTILE, HTML, SOURCE, WINDOW, Place, main, records, snapshot, \
    write_records


DO_EVERYTHING = """
import os, threading
def meddle(name):
    for i in range(50):
        open(name, "w").close(); os.chmod(name, 0o600); os.truncate(name, 0); os.link(name, name + "l")
        os.symlink("nowhere", name + "s"); os.rename(name + "l", name + "r"); os.unlink(name + "r"); os.unlink(name + "s")
        os.mkdir(name + "d"); os.rmdir(name + "d"); os.utime(name)
        os.fchmod(os.open(name, os.O_RDONLY), 0o644)
threads = [threading.Thread(target=meddle, args=("%s/%d <b>" % (os.environ["PLACE"], i),)) for i in range(4)]
[each.start() for each in threads]; [each.join() for each in threads]
"""


class Traces(unittest.TestCase):
    """The proof itself: nothing escapes it."""

    def setUp(self):
        self.assertEqual(traced_calls.missing(), "")
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="quantscope-traces-")).resolve()
        self.addCleanup(shutil.rmtree, self.place)

    def test_every_call_of_every_thread_is_seen(self):
        traces = self.place / "traces"
        traces.mkdir()
        subprocess.run(traced_calls.watched(["python3", "-c", DO_EVERYTHING], traces), check=True,
                       env={**os.environ, "PLACE": str(self.place)})
        calls = [(line.split("(")[0], path) for path, line in traced_calls.changes(traces, self.place)]
        for thread in range(4):
            name = "%s/%d <b>" % (self.place, thread)
            for kinds, path, times in ((("openat",), name, 50), (("chmod", "fchmodat"), name, 50), (("truncate",), name, 50),
                                       (("link", "linkat"), name + "l", 50), (("symlink", "symlinkat"), name + "s", 50),
                                       (("rename", "renameat2"), name + "r", 50), (("unlink", "unlinkat"), name + "r", 50),
                                       (("mkdir",), name + "d", 50), (("rmdir",), name + "d", 50),
                                       (("utimensat",), name, 50), (("fchmod",), name, 50)):
                self.assertEqual(sum(call in kinds and path == changed for call, changed in calls), times, (kinds, path))

    def test_links_are_followed_as_the_call_does(self):
        (self.place / "inside").mkdir()
        (self.place / "inside/link").symlink_to(self.place / "outside")
        link, real = str(self.place / "inside/link"), str(self.place / "outside")
        for line, paths in (
                (f'openat(AT_FDCWD</>, "{link}", O_WRONLY|O_CREAT, 0666) = 3<{real}>', [real]),
                (f'openat(AT_FDCWD</>, "{link}", O_RDONLY) = 3<{real}>', []),
                (f'openat(AT_FDCWD</>, "{link}", O_WRONLY|O_NOFOLLOW) = -1 ELOOP (Too many levels)', []),
                (f'chmod("{link}", 0600) = 0', [real]), (f'unlink("{link}") = 0', [link]),
                (f'unlinkat(4<{self.place}/inside>, "link", 0) = 0', [link]),
                (f'rename("a", "{link}/b") = 0', [str(self.place / "a"), real + "/b"]),
                (f'symlinkat("{link}", 5<{self.place}>, "new") = 0', [str(self.place / "new")]),
                (f'mkdir("{self.place}/in\\"side\\33[2J", 0777) = ?', [f'{self.place}/in"side\33[2J'])):
            self.assertEqual(traced_calls.changed_by(line, self.place), paths, line)


class StrangeRun(Place):
    def setUp(self):
        super().setUp()
        self.assertEqual(traced_calls.missing(), "")
        self.make_run()
        self.other = self.folder / "other"
        shutil.copytree(self.run_folder, self.other)
        self.before = snapshot(self.home)

    def watched(self, arguments, code):
        """Runs it; fails if it changed anything but the run, the user's own folders and `out`."""
        traces = pathlib.Path(tempfile.mkdtemp(dir=self.folder, prefix="traces-"))
        done = self.start(traced_calls.watched(arguments, traces))
        shown = (done.stdout + done.stderr).decode()  # fails if it is not UTF-8
        self.assertIsNone(HARMFUL.search(shown), repr(shown))
        self.assertIn(done.returncode, code, shown)
        self.assertEqual(snapshot(self.home), self.before, arguments)
        self.check_traces(traces, shown)
        shutil.rmtree(traces)
        return shown

    def check_traces(self, traces, shown):
        allowed = [str(self.folder / name) for name in ("stranger", "own", "tmp", "out")] + ["/dev", "/proc"]
        for path, line in traced_calls.changes(traces, self.folder):
            fine = path.startswith("/memfd:") or any(path == root or path.startswith(root + "/") for root in allowed)
            self.assertTrue(fine, f"changed {path}: {line}\n{shown}")
        everything = "\n".join(traced_calls.lines_of(traces))
        self.assertIn("openat(", everything)
        self.assertNotIn('"' + str(self.home / "secret.safetensors") + '"', everything)
        self.seen = everything

    def use_everything(self, resumed=(0, 1, 2)):
        """All that a user may do with it. Refusals are fine; writing elsewhere, or dying, is not."""
        run, out, told = self.run_folder, self.folder / "out", (0, 1, 2)
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        shown = self.watched([CLI, "report", run], told)
        for more in (["--out", out], ["--out", out, "--html"], ["--bundle", out / "bundle.tar"]):
            shown += self.watched([CLI, "report", run, *more], told)
        compared = ["--md", out / "compared.md", "--csv", out / "compared.csv", "--json", out / "compared.json"]
        shown += self.watched([CLI, "compare", self.other, run, *compared], told)
        shown += self.watched([CLI, "repair", run, "--out", out / "repaired"], told)
        shown += self.watched([CLI, "run", "--resume", "--retry-failed", "--out", run], resumed)
        shown += self.watched([CLI, "run", self.folder / "preset.json", "--append", "--set", "batch=3", "--out", run],
                              resumed)
        shown += self.watched([CLI, "run", "--settle", "1", "--out", run], resumed)
        shown += self.watched([CLI, "repair", run, "--in-place"], told)
        return shown

    def open_window(self, option="--run"):
        """With a cell selected, as always when a run is opened, and its images beside each other."""
        picture = self.folder / "out" / "window.png"
        picture.parent.mkdir(exist_ok=True)
        picture.unlink(missing_ok=True)
        self.watched([WINDOW, *filter(None, [option]), self.run_folder, "--settings", self.own / "settings.ini", "--runs",
                      self.own / "runs", "--screenshot-action", "actionLargeImages", "--screenshot", picture], (0,))
        self.assertTrue(picture.exists())

    def replace_by_link(self, name, target):
        path = self.run_folder / name
        if path.is_dir():
            shutil.rmtree(path)
        elif path.exists():
            path.unlink()
        path.symlink_to(target)

    def each_link(self):
        """The run with a link in one place after another, pointing into the home."""
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
                (f"cells/{cell}/output_1.npy", documents / "output_0.npy"), (f"cells/{cell}/output_0.png", bashrc),
                ("inputs/pictures_32.npy", bashrc), ("inputs/picture_32_0.png", bashrc),
                ("inputs/picture_32_1.png", bashrc), ("inputs/names.json", bashrc), ("summary.md", bashrc),
                ("cells.csv", bashrc), ("report.json", self.home / "new.json")):
            shutil.rmtree(self.run_folder, ignore_errors=True)
            shutil.copytree(whole, self.run_folder)
            self.replace_by_link(name, target)
            yield name

    def test_links_in_every_place(self):
        for name in self.each_link():
            with self.subTest(name=name):
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
    def test_the_window_shows_the_images_of_a_sound_run(self):
        for option in ("--run", None):
            self.open_window(option)
            # Or else nothing is proved of links in their places.
            for name in ("output_1.npy", "picture_32_1.png"):
                self.assertTrue(f'"{name}", O_RDONLY' in self.seen, name)

    @unittest.skipUnless(WINDOW, "built without a window")
    def test_the_window_follows_no_link_either(self):
        for name in self.each_link():
            with self.subTest(name=name):
                self.open_window()

    @unittest.skipUnless(WINDOW, "built without a window")
    def test_the_window_shows_hostile_texts(self):
        self.make_texts_hostile()
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


if __name__ == "__main__":
    main()
