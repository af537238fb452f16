"""What tests of strangers' runs share: a home that must not change, and runs to be spoiled."""
import binascii
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CLI, WORKER, SOURCE = sys.argv[1:4]
WINDOW = sys.argv[4] if len(sys.argv) > 4 else None
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


def main():
    unittest.main(argv=sys.argv[:1], verbosity=2)
