"""A Python that has imported PyTorch and what compiling imports, for tests: importing takes longer than what most of them
do. Called as Python is, with a script and its arguments: the script runs in a fork of a process that is started by the
first call, serves all later ones and ends a minute behind the last.

    QS_WARM_PYTHON=FOLDER python3 warm_python.py SCRIPT ARGUMENT…

The script has the arguments, environment, folder and streams of this call; its exit code is that of this process, which
takes it along when it is killed. It has one thread, and what PyTorch reads from the environment when it is imported is
not of this call. QS_COMPILING_PYTHON names the Python that has PyTorch.
"""

import contextlib
import fcntl
import json
import os
import pathlib
import runpy
import selectors
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

IDLE_SECONDS = 60


def read(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def connected(folder):
    """To the process that serves, which is started where there is none."""
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        place = folder / "socket"
        process = None
        directory = os.open(folder, os.O_PATH)
        for _ in range(1000):
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(f"/proc/self/fd/{directory}/socket")  # paths of sockets are short
                return connection
            except OSError:
                connection.close()
            if process is None:
                place.unlink(missing_ok=True)
                command = [os.environ["QS_COMPILING_PYTHON"], __file__, "--serve", str(place)]
                kept = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=kept,
                                           stderr=subprocess.DEVNULL, start_new_session=True, close_fds=True)
            time.sleep(0.01)
    raise SystemExit("no Python serves at " + str(place))


def call(folder, arguments):
    folder.mkdir(parents=True, exist_ok=True)
    with connected(folder) as connection:
        request = json.dumps([arguments, dict(os.environ), os.getcwd()]).encode()
        socket.send_fds(connection, [struct.pack("I", len(request))], [0, 1, 2])
        connection.sendall(request)
        return struct.unpack("i", read(connection, 4))[0]


def run(arguments, environment, folder, streams):
    """In a fork: as if Python had been started with them."""
    os.setpgid(0, 0)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # where this process keeps such is of another call
    sys.argv = arguments
    sys.path.insert(0, os.path.dirname(arguments[0]))
    code = 1
    try:
        runpy.run_path(arguments[0], run_name="__main__")
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


class Server:
    def __init__(self, place):
        self.listener = socket.socket(socket.AF_UNIX)
        os.chdir(place.parent)
        self.listener.bind(place.name)
        self.listener.listen(64)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.listener, selectors.EVENT_READ)
        self.running = {}  # process to connection
        self.ended, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.selector.register(self.ended, selectors.EVENT_READ)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def begin(self, connection):
        size, streams, _, _ = socket.recv_fds(connection, 4, 3)
        request = json.loads(read(connection, struct.unpack("I", size)[0]))
        child = os.fork()
        if child == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self.selector.close()
            for each in (self.listener, connection, *self.running.values()):
                each.close()
            run(*request, streams)
        with contextlib.suppress(OSError):  # it did that itself, or is gone
            os.setpgid(child, child)
        for stream in streams:
            os.close(stream)
        self.running[child] = connection
        self.selector.register(connection, selectors.EVENT_READ)

    def reap(self):
        while self.running:
            child, status = os.waitpid(-1, os.WNOHANG)
            if not child:
                return
            connection = self.running.pop(child)
            if connection in self.selector.get_map():
                self.selector.unregister(connection)
                with contextlib.suppress(OSError):  # it has gone just now
                    connection.sendall(struct.pack("i", os.waitstatus_to_exitcode(status)))
            connection.close()

    def ends(self):
        """Unless somebody has just come: who comes holds the lock."""
        with open("lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return False
            if self.selector.select(0):
                return False
            os.unlink(self.listener.getsockname())
            return True

    def serve(self):
        while True:
            events = self.selector.select(IDLE_SECONDS)
            if not events and not self.running and self.ends():
                return
            for key, _ in events:
                if key.fileobj is self.listener:
                    self.begin(self.listener.accept()[0])
                elif key.fileobj == self.ended:
                    os.read(self.ended, 1024)
                else:  # who called has gone
                    self.selector.unregister(key.fileobj)
                    child = next(child for child, each in self.running.items() if each is key.fileobj)
                    os.killpg(child, signal.SIGKILL)
            self.reap()


def main():
    if sys.argv[1] != "--serve":
        sys.exit(call(pathlib.Path(os.environ["QS_WARM_PYTHON"]), sys.argv[1:]))
    server = Server(pathlib.Path(sys.argv[2]))
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "core/engine/compile"))
    os.environ.update(OMP_NUM_THREADS="1", PYTORCH_NVML_BASED_CUDA_CHECK="1")
    import torch._inductor
    import compile_ahead
    compile_ahead.import_ahead()
    del sys.modules["compile_ahead"], sys.path[0]
    server.serve()


if __name__ == "__main__":
    main()
