#!/usr/bin/env python3
"""Whatever is wrong with what a user names ends in a sentence and a code.

Usage: test_strange_ends.py CLI WORKER SOURCE_DIR [WINDOW]
"""
import json
import os
import resource
import shutil
import subprocess
import unittest

from strange_place import CLI, HARMFUL, HOSTILE, PRESET, TIMEOUT, WINDOW, Place, main, records, snapshot, write_records


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
        for limit in range(least + 4, least + 160, 12):
            done = limited([CLI, "report", self.run_folder, "--json"], limit)
            self.assertIn(done.returncode, (0, 4), done.stderr)
            if done.returncode == 4:
                self.assertIn(b"not enough memory", done.stderr)
            codes.add(done.returncode)
        self.assertIn(4, codes)
        # A resumed run reads all of it, too; with enough memory it ends because nobody is to be measured.
        for limit in range(least + 4, least + 160, 12):
            done = limited([CLI, "run", "--resume", "--out", self.run_folder, "--trust-paths"], limit)
            self.assertGreaterEqual(done.returncode, 0, done.stderr)
            if done.returncode == 4:
                self.assertIn(b"not enough memory", done.stderr)
            codes.add(("run", done.returncode))
        self.assertIn(("run", 4), codes)

    @unittest.skipUnless(WINDOW, "built without a window")
    def test_without_a_display(self):
        for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
            self.environment.pop(name, None)
        self.assertIn(b"--screenshot", self.end([WINDOW, "--help"], 0).stdout)
        self.assertIn(b"quantscope", self.end([WINDOW, "--version"], 0).stdout)
        self.end([WINDOW], 1, b"no display")


if __name__ == "__main__":
    main()
