"""A headless Chromium at the other end of a pipe (its DevTools protocol): the little that a test needs of it."""
import json
import os
import pathlib
import shutil
import subprocess
import time

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
WAIT_SECONDS = 60  # for anything that hangs; nothing passes or fails by how long it takes


def find_browser():
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    def __init__(self, program, profile):
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        self._pending, self._number, self.events = b"", 0, []
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                   "--remote-debugging-pipe", f"--user-data-dir={profile}", "--window-size=1200,900", "about:blank"]
        # The browser reads commands from descriptor 3 and answers on 4; a shell puts the two there.
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}', program, *options],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(profile)})
        os.close(to_browser)
        os.close(from_browser)
        target = self._call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = self._call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for part in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{part}.enable")

    def close(self):
        self._process.kill()
        self._process.wait()

    def call(self, method, **parameters):
        return self._call(method, parameters, self._session)

    def _call(self, method, parameters, session=None):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self.events.append(answer)

    def _receive(self):
        while b"\0" not in self._pending:
            chunk = os.read(self._in, 1 << 20)
            assert chunk, "the browser has ended"
            self._pending += chunk
        message, _, self._pending = self._pending.partition(b"\0")
        return json.loads(message)

    def open(self, page):
        self.call("Page.navigate", url=pathlib.Path(page).resolve().as_uri())
        self.wait("document.readyState === 'complete' && document.images.length >= 0")

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, (expression, result["exceptionDetails"])
        return result["result"].get("value")

    def wait(self, expression):
        end = time.monotonic() + WAIT_SECONDS
        while not self.value(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.05)

    def click(self, selector):
        """As a hand does: the mouse goes where the element is seen."""
        at = self.value(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: "center", behavior: "instant"}});
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)

    def complaints(self):
        """Errors of scripts, what the policy of the page refused, and addresses other than the page's own."""
        bad = []
        for event in self.events:
            kind, told = event.get("method"), event.get("params", {})
            if kind == "Runtime.exceptionThrown":
                bad.append(told["exceptionDetails"])
            elif kind == "Log.entryAdded" and told["entry"]["level"] == "error":
                bad.append(told["entry"])
            elif kind == "Network.requestWillBeSent" and not told["request"]["url"].startswith(("file:", "data:")):
                bad.append(told["request"]["url"])
        return bad
