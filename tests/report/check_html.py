#!/usr/bin/env python3
"""Reads report.html of measured runs as a browser would: every element closed, nothing loaded, the parts that a
reader looks for are there. Arguments: quantscope-cli, folder of the example runs.
"""
import base64
import html.parser
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

VOID = {"meta", "img", "input", "line", "circle", "rect", "polygon", "path", "br"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.tags, self.images, self.faults = [], set(), {}, [], []
        self.links = set()
        self.text = ""

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if "id" in values:
            if values["id"] in self.ids:
                self.faults.append(f"two elements are called {values['id']}")
            self.ids.add(values["id"])
        for name in ("src", "href", "action", "data", "poster", "srcset"):
            if name == "href" and values.get(name, "").startswith("#"):
                self.links.add(values[name][1:])  # within the page
            elif name in values and not values[name].startswith("data:image/png;base64,"):
                self.faults.append(f"{tag} loads {values[name]!r}")
        for name in values:
            if name.startswith("on") or name == "style":
                self.faults.append(f"{tag} has {name}, which the policy forbids")
        if tag == "img":
            self.images.append((values.get("class"), values["src"]))
        # An SVG element that has a title inside is closed; the others stand alone.
        if tag not in VOID or (tag in ("circle", "rect", "polygon")):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        self.text += data


def png_size(source):
    content = base64.b64decode(source.partition(",")[2], validate=True)
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", content[16:24])


def check(program, run, images):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "report", str(run), "--html", "--out", folder], check=True, stdout=subprocess.DEVNULL)
        assert [path.name for path in pathlib.Path(folder).glob("*.html")] == ["report.html"]
        content = pathlib.Path(folder, "report.html").read_bytes()
    assert len(content) <= 5_000_000, f"{run}: {len(content)} bytes"
    text = content.decode("utf-8")
    page = Page()
    page.feed(text)
    page.close()
    assert not page.faults and not page.open, (run, page.faults[:5], page.open)
    assert {"answer", "overview", "cells", "curves", "plot-throughput"} <= page.ids, (run, page.ids)
    assert page.links <= page.ids, (run, page.links - page.ids)
    assert bool(page.links) == ("advice" in page.ids), (run, "advice leads to its rows")
    assert not re.search(r"https?://", text), "an address"
    assert page.tags["table"] >= 3 and page.tags["svg"] >= 1 and page.tags["circle"] + page.tags.get("rect", 0) > 3
    kinds = [kind for kind, _ in page.images]
    if images:
        assert "images" in page.ids and kinds.count("output") >= 2 and "map" in kinds, (run, kinds)
        assert len({png_size(source) for _, source in page.images}) >= 1
    print(run.name, len(content), "bytes,", len(kinds), "images")


for name, shows_images in (("demo_cpu_one_thread", True), ("demo_h200", True), ("llama_h200", False)):
    check(sys.argv[1], pathlib.Path(sys.argv[2], name), shows_images)
