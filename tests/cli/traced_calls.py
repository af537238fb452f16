"""What a program did to files, from what strace wrote of each of its threads.

With -ff there is a file for each thread, so that no call is cut in two by those of another thread.
"""
import codecs
import os
import pathlib
import re
import shutil

# All calls with the name of a file, and those that change what a descriptor means without having opened it for writing.
# A filter in the kernel lets programs run on at all other calls, which strace would only pass over.
STRACE = ["-ff", "--seccomp-bpf", "-y", "-qq", "-s", "8192", "-e", "trace=%file,fchmod,fchown"]
CALL = re.compile(r"(\w+)\((.*)\)\s+= (-?\d+|\?)(?:<([^>]*)>)?")
ARGUMENT = re.compile(r'(?:(?P<folder>AT_FDCWD|\d+)(?:<(?P<place>[^>]*)>)?, )?"(?P<name>(?:[^"\\]|\\.)*)"(?P<cut>\.\.\.)?')
WRITES = re.compile(r"\bO_(WRONLY|RDWR|CREAT|TRUNC|APPEND)\b")
OPENS = {"open", "openat", "openat2", "creat"}
# Calls that change something: which of the names they take are changed, and whether a link in the last place is followed.
CHANGES = {
    "rename": ((0, 1), False), "renameat": ((0, 1), False), "renameat2": ((0, 1), False),
    "unlink": ((0,), False), "unlinkat": ((0,), False), "rmdir": ((0,), False),
    "mkdir": ((0,), False), "mkdirat": ((0,), False), "mknod": ((0,), False), "mknodat": ((0,), False),
    "symlink": ((1,), False), "symlinkat": ((1,), False), "link": ((0, 1), False), "linkat": ((0, 1), False),
    "truncate": ((0,), True), "chmod": ((0,), True), "fchmodat": ((0,), True), "fchmodat2": ((0,), True),
    "chown": ((0,), True), "lchown": ((0,), False), "fchownat": ((0,), True),
    "utime": ((0,), True), "utimes": ((0,), True), "utimensat": ((0,), True), "futimesat": ((0,), True),
    "setxattr": ((0,), True), "lsetxattr": ((0,), False), "removexattr": ((0,), True), "lremovexattr": ((0,), False)}
# Of a descriptor.
DESCRIPTOR_CHANGES = {"fchmod", "fchown"}
# What says where the program is; its own folder never changes.
MOVES = {"chdir", "fchdir", "chroot"}


def missing():
    """A sentence if there is no strace; a proof that nobody saw is none."""
    return "" if shutil.which("strace") else "strace is missing: install the package strace, without it this proves nothing"


def watched(arguments, traces):
    """The command line that runs the arguments and leaves its traces in the folder."""
    return ["strace", *STRACE, "-o", traces / "thread", *arguments]


def plain(text):
    """Of a name as strace writes it: octal and the usual escapes."""
    return os.fsdecode(codecs.escape_decode(text.encode("latin-1", errors="replace"))[0])


def names_of(arguments, folder):
    """Full paths of all names in the arguments of a call, as they are written."""
    found = []
    for match in ARGUMENT.finditer(arguments):
        if match["cut"]:
            raise ValueError("a name was cut: " + arguments[:200])
        place = plain(match["place"]) if match["place"] else str(folder)
        found.append(os.path.join(place, plain(match["name"])))
    return found


def real(path, followed):
    """Where it lies, as the kernel finds it."""
    path = path.rstrip("/") or "/"
    if followed:
        return os.path.realpath(path)
    return os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))


def changed_by(line, folder):
    """Paths that the call in a line of a trace opened for writing or changed; none if it failed."""
    match = CALL.match(line)
    if not match:
        return []
    call, arguments, result, opened = match.groups()
    if result.startswith("-"):
        return []
    if call in MOVES:
        raise ValueError("the program goes elsewhere, so names mean other places: " + line)
    if call in OPENS:
        if not (call == "creat" or WRITES.search(arguments)):
            return []
        # Links were resolved by the kernel in what is said of the descriptor.
        return [plain(opened)] if opened else [real(names_of(arguments, folder)[0], True)]
    if call in DESCRIPTOR_CHANGES:
        return [plain(re.match(r"\d+<([^>]*)>", arguments)[1])]
    places, followed = CHANGES.get(call, ((), False))
    names = names_of(arguments, folder)
    follows = followed and "NOFOLLOW" not in arguments
    return [real(names[place], follows) for place in places if place < len(names)]


def lines_of(traces):
    """Lines of all threads; a call that never came back may have happened."""
    for file in sorted(pathlib.Path(traces).iterdir()):
        for line in file.read_text(encoding="latin-1").splitlines():
            yield re.sub(r"\s*<unfinished \.\.\.>$", ") = ?", line)


def changes(traces, folder):
    """Pairs of a changed path and the line that shows it. `folder` is where the program was started."""
    return [(path, line) for line in lines_of(traces) for path in changed_by(line, folder)]
