#!/usr/bin/env python3
"""Opens report.html of measured runs in a headless Chromium and uses it with the mouse: the answer, a curve, an image
pair, wipe, blink and map, tables that sort, speed against quality, dark and on paper. Arguments: quantscope-cli, folder of the example runs.
Skipped (77) without a browser.
"""
import base64
import json
import pathlib
import subprocess
import sys
import tempfile

import browser

MAP = '.viewer input[value="map"]'
WIPE = '.viewer input[value="wipe"]'
BLINK = '.viewer input[value="blink"]'
SHOWN = '[...document.querySelectorAll(".viewer .stage")[0].querySelectorAll("img")]'


def size_of(page, selector):
    return page.value(f"""(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
        return [r.width, r.height]; }})()""")


def colours(page, image):
    """How many colours an image on the page has, as the browser decodes it."""
    return page.value(f"""(async () => {{ const image = {image}; await image.decode();
        const canvas = document.createElement("canvas"); canvas.width = image.naturalWidth;
        canvas.height = image.naturalHeight; const context = canvas.getContext("2d"); context.drawImage(image, 0, 0);
        const data = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return new Set(data).size; }})()""")


def luminance(colour):
    parts = [int(each) / 255 for each in colour[4:-1].split(",")]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(page):
    ink, ground = (luminance(page.value(f"getComputedStyle(document.body).{each}"))
                   for each in ("color", "backgroundColor"))
    return (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05), ground


def check_answer_and_curve(page):
    assert size_of(page, "#answer")[1] > 20 and page.value('document.querySelector("#answer").innerText').strip()
    width, height = size_of(page, "#plot-throughput svg, svg#plot-throughput")
    assert width > 300 and height > 150, (width, height)
    strokes = page.value("""[...document.querySelectorAll("g.series path")].map(p =>
        [p.getTotalLength(), getComputedStyle(p).stroke])""")
    assert any(length > 50 and stroke.startswith("rgb") for length, stroke in strokes), strokes[:5]


def check_images(page):
    page.wait(SHOWN + ".length === 2 && " + SHOWN + ".every(i => i.complete && i.naturalWidth > 0)")
    widths = page.value(SHOWN + ".map(i => i.getBoundingClientRect().width)")
    assert min(widths) > 200 and max(widths) - min(widths) < 1, widths
    pair = page.value(SHOWN + ".map(i => i.src)")
    assert pair[0] != pair[1] and min(colours(page, f"{SHOWN}[{i}]") for i in (0, 1)) > 100
    page.click(MAP)
    page.wait(SHOWN + f"[1].src !== {json.dumps(pair[1])}")
    assert colours(page, SHOWN + "[1]") > 8, "the map shows nothing"
    page.click(WIPE)
    page.wait('document.querySelector(".viewer .stage").classList.contains("over")')
    assert "50%" in page.value(f"getComputedStyle({SHOWN}[1]).clipPath")
    places = page.value(SHOWN + ".map(i => { const r = i.getBoundingClientRect(); return [r.x, r.y, r.width]; })")
    assert places[0] == places[1], places
    page.click(BLINK)
    page.wait(SHOWN + "[1].hidden")
    page.wait("!" + SHOWN + "[1].hidden")


def check_table(page, section):
    """The first table of the section, by the first of its columns that has several numbers."""
    table = f'document.querySelector("#{section} table.sortable")'
    column = page.value(f"""[...{table}.tHead.rows[0].cells].findIndex((h, i) =>
        new Set([...{table}.tBodies[0].rows].map(r => Number(r.cells[i].dataset.v || NaN))).size > 3)""")
    assert column >= 0, f"no column of numbers in {section}"
    rows = f"[...{table}.tBodies[0].rows]"
    numbers = f'{rows}.map(r => r.cells[{column}].dataset.v).filter(v => v !== "").map(Number)'
    whole = page.value(f"{rows}.map(r => r.innerText).sort()")
    for order, up in (("descending", False), ("ascending", True)):
        page.click(f"#{section} table.sortable th:nth-child({column + 1}) button")
        page.wait(f'{table}.tHead.rows[0].cells[{column}].getAttribute("aria-sort") === "{order}"')
        values = page.value(numbers)
        assert len(values) > 3 and values == sorted(values, reverse=not up), (section, order, values)
    assert page.value(f"{rows}.map(r => r.innerText).sort()") == whole, "sorting changed the rows"


def check_pareto(page):
    """Points at many places, a frontier through those that nothing beats, and a limit that is seen."""
    width, height = size_of(page, "#plot-pareto")
    assert width > 300 and height > 150, (width, height)
    points = page.value("""[...document.querySelectorAll("#plot-pareto g.series > *")].filter(e => e.querySelector("title"))
        .map(e => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2,
                    e.querySelector("title").textContent]; })""")
    assert len({(round(x), round(y)) for x, y, _ in points}) > 3, points[:5]
    assert all(any(word in about for word in ("noise floor", "identical", "the reference")) for _, _, about in points), points[:5]
    ends = page.value("""(() => { const p = document.querySelector("#plot-pareto path.frontier"); if (!p) return [];
        const r = p.getBoundingClientRect(); return [r.x, r.y, r.right, r.bottom, p.getTotalLength()]; })()""")
    assert not ends or ends[4] > 1, ends
    if ends:  # its upper right end is the fastest cell, for distance grows to the right
        assert abs(ends[1] - min(y for _, y, _ in points)) < 12, (ends, points)


def check_looks(page, images):
    light, ground = contrast(page)
    assert light > 7 and ground > 0.5, (light, ground)
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    dark, ground = contrast(page)
    assert dark > 7 and ground < 0.1, (dark, ground)
    page.call("Emulation.setEmulatedMedia", media="print", features=[])
    assert not images or size_of(page, ".viewer") == [0, 0], "buttons on paper"
    paper = base64.b64decode(page.call("Page.printToPDF")["data"])
    assert paper.startswith(b"%PDF") and len(paper) > 10_000
    page.call("Emulation.setEmulatedMedia", media="", features=[])


def check(page, program, run, images):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "report", str(run), "--html", "--out", folder], check=True, stdout=subprocess.DEVNULL)
        page.events.clear()
        page.open(pathlib.Path(folder, "report.html"))
        check_answer_and_curve(page)
        if images:
            check_images(page)
        check_table(page, "cells")
        check_table(page, "overview")
        if images:
            check_pareto(page)
        check_looks(page, images)
        assert not page.complaints(), page.complaints()[:3]
        painted = page.value("performance.getEntriesByType('paint').map(p => [p.name, Math.round(p.startTime)])")
        print(run.name, "painted after ms:", dict(painted))


def main():
    program = browser.find_browser()
    if program is None:
        print("skipped: no Chromium here")
        sys.exit(77)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        page = browser.Browser(program, profile)
        try:
            for name, images in (("demo_cpu_one_thread", True), ("demo_h200", True), ("llama_h200", False)):
                check(page, sys.argv[1], pathlib.Path(sys.argv[2], name), images)
        finally:
            page.close()


main()
