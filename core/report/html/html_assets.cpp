#include "core/report/html/html_assets.h"

namespace qs::core {

const std::string_view kReportStyle = R"css(
:root{--ink:#1c1f23;--dim:#5c646e;--line:#d8dce1;--page:#fff;--panel:#f5f6f8;--accent:#1f6feb;
--good:#1a7f37;--bad:#b42318;--open:#8a6d00;
--c0:#1f6feb;--c1:#d1480c;--c2:#1a7f37;--c3:#8250df;--c4:#b35900;--c5:#0e8a8a;--c6:#bf3989;--c7:#57606a;--c8:#6e7b00;--c9:#b42318}
@media (prefers-color-scheme:dark){:root{--ink:#e6e8eb;--dim:#9aa4af;--line:#363c44;--page:#16191d;--panel:#20242a;--accent:#6aa6ff;
--good:#5cc878;--bad:#ff8a80;--open:#e3b341;
--c0:#6aa6ff;--c1:#ff9b63;--c2:#5cc878;--c3:#c297ff;--c4:#e3b341;--c5:#4dd0d0;--c6:#ff85c8;--c7:#a8b1bb;--c8:#c5d15a;--c9:#ff8a80}}
*{box-sizing:border-box}[hidden]{display:none!important}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);margin:0 auto;max-width:1200px;padding:16px 24px 64px}
h1{font-size:26px;margin:8px 0}h2{font-size:20px;margin:32px 0 8px}h3{font-size:16px;margin:16px 0 8px}
p,ul{margin:8px 0}ul{padding-left:24px}
.dim{color:var(--dim)}
.answer{border-left:4px solid var(--accent);background:var(--panel);padding:8px 16px;margin:16px 0}
.answer p{margin:4px 0}
.light{display:inline-block;width:10px;height:10px;border-radius:50%;margin-right:8px;background:var(--dim)}
.decided .light{background:var(--good)}.unsure .light{background:var(--open)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:8px 0}
th,td{padding:4px 12px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:var(--page)}
th button{font:inherit;font-weight:600;color:inherit;background:none;border:0;padding:0;cursor:pointer}
th button:hover,th button:focus-visible{color:var(--accent)}
th[aria-sort=ascending] button::after{content:" \25B2"}th[aria-sort=descending] button::after{content:" \25BC"}
td.best{font-weight:700}
.faster,.better{color:var(--good)}.slower,.worse{color:var(--bad)}.undecided{color:var(--open)}
details{margin:8px 0}summary{cursor:pointer;font-weight:600}
svg.plot{width:100%;max-width:900px;height:auto;display:block}
svg.plot text{fill:var(--dim);font:12px system-ui,sans-serif}
svg.plot .grid{stroke:var(--line);stroke-width:1}
svg.plot .axis{stroke:var(--dim);stroke-width:1}
svg.plot .frontier{stroke:var(--dim);stroke-width:1.5;stroke-dasharray:4 4;fill:none}
svg.plot .limit{stroke:var(--bad);stroke-width:1;stroke-dasharray:2 3}
.s0{--s:var(--c0)}.s1{--s:var(--c1)}.s2{--s:var(--c2)}.s3{--s:var(--c3)}.s4{--s:var(--c4)}
.s5{--s:var(--c5)}.s6{--s:var(--c6)}.s7{--s:var(--c7)}.s8{--s:var(--c8)}.s9{--s:var(--c9)}
g.series path{stroke:var(--s);fill:none;stroke-width:2}g.series .bar{stroke:var(--s);stroke-width:1}
g.series circle,g.series rect,g.series polygon{fill:var(--s);stroke:var(--page);stroke-width:1}
.d1 path{stroke-dasharray:7 4}.d2 path{stroke-dasharray:2 3}.d3 path{stroke-dasharray:9 3 2 3}
.other path{stroke-dasharray:1 4;stroke-width:1.5}
g.other circle,g.other rect,g.other polygon{fill:var(--page);stroke:var(--s);stroke-width:1.5}
.off{opacity:.08}
.legend{display:flex;flex-wrap:wrap;gap:4px 16px;margin:4px 0 16px}
.legend button{font:13px system-ui,sans-serif;color:var(--ink);background:none;border:0;padding:0;cursor:pointer}
.legend button::before{content:"";display:inline-block;width:18px;height:3px;background:var(--s);margin-right:6px;vertical-align:middle}
.legend button[aria-pressed=false]{opacity:.4}
.legend .d1::before{background:linear-gradient(90deg,var(--s) 40%,transparent 40% 60%,var(--s) 60%)}
.legend .d2::before{background:repeating-linear-gradient(90deg,var(--s) 0 3px,transparent 3px 6px)}
.legend .d3::before{background:linear-gradient(90deg,var(--s) 55%,transparent 55% 75%,var(--s) 75% 85%,transparent 85%)}
table.words td,table.words th{text-align:left;white-space:normal}table.words td:first-child{white-space:nowrap}
.viewer{background:var(--panel);padding:12px;margin:8px 0}
.viewer .tools{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;margin-bottom:8px}
.stage{position:relative;display:flex;gap:8px;justify-content:center}
.stage figure{margin:0;flex:1;max-width:560px}
.stage img{width:100%;image-rendering:pixelated;display:block}
.stage.over figure{position:relative}
.stage.over .top{position:absolute;left:0;top:0}
.sheet{display:grid;grid-template-columns:repeat(auto-fill,minmax(180px,1fr));gap:16px}
.sheet figure{margin:0}.sheet img{width:100%;display:block;image-rendering:auto}
figcaption{font-size:13px;color:var(--dim)}
@media print{body{max-width:none;padding:0}.viewer,.legend button[aria-pressed=false]{display:none}
h2,h3{break-after:avoid}table,figure,svg{break-inside:avoid}.scroll{overflow:visible}
:root{--ink:#000;--dim:#444;--line:#bbb;--page:#fff;--panel:#fff}}
)css";

const std::string_view kReportScript = R"js(
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") === "descending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = row => {
      const cell = row.cells[column];
      return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
    };
    const missing = row => row.cells[column].dataset.v === "";
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => {
      if (missing(a) !== missing(b)) return missing(a) ? 1 : -1;
      const x = key(a), y = key(b);
      const order = typeof x === "number" ? x - y : String(x).localeCompare(String(y));
      return up ? order : -order;
    });
    table.tBodies[0].append(...rows);
  }));
}
for (const button of document.querySelectorAll(".legend button")) {
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") === "false";
    button.setAttribute("aria-pressed", String(on));
    const plot = button.closest("section").querySelector("svg");
    for (const each of plot.querySelectorAll('[data-series="' + button.dataset.series + '"]'))
      each.classList.toggle("off", !on);
  });
}
for (const group of document.querySelectorAll(".images")) {
  const sheet = group.querySelector(".sheet");
  const viewer = group.querySelector(".viewer");
  const figures = [...sheet.querySelectorAll("figure[data-output]")];
  const reference = sheet.querySelector("figure[data-reference] img");
  if (!reference || figures.length === 0) continue;
  viewer.hidden = false;
  const cells = viewer.querySelector("select");
  figures.forEach((figure, i) => {
    const option = document.createElement("option");
    option.value = String(i);
    option.textContent = figure.dataset.output;
    cells.append(option);
  });
  const stage = viewer.querySelector(".stage");
  const position = viewer.querySelector("input[type=range]");
  const caption = viewer.querySelector(".caption");
  let mode = "side", timer = 0;
  const pane = (source, top) => {
    const image = document.createElement("img");
    image.src = source;
    if (top) image.className = "top";
    return image;
  };
  const show = () => {
    clearInterval(timer);
    const figure = figures[Number(cells.value)];
    const output = figure.querySelector("img.output").src;
    const map = figure.querySelector("img.map");
    const source = mode === "map" && map ? map.src : output;
    stage.replaceChildren();
    position.hidden = mode !== "wipe";
    caption.textContent = figure.querySelector("figcaption").textContent;
    const first = document.createElement("figure");
    first.append(pane(reference.src));
    stage.append(first);
    const over = mode === "wipe" || mode === "blink";
    stage.classList.toggle("over", over);
    if (!over) {
      const second = document.createElement("figure");
      second.append(pane(source));
      stage.append(second);
      return;
    }
    const top = pane(output, true);
    first.append(top);
    if (mode === "wipe") {
      top.style.clipPath = "inset(0 0 0 " + position.value + "%)";
    } else {
      timer = setInterval(() => { top.hidden = !top.hidden; }, 600);
    }
  };
  cells.addEventListener("change", show);
  position.addEventListener("input", show);
  for (const radio of viewer.querySelectorAll("input[type=radio]"))
    radio.addEventListener("change", () => { mode = radio.value; show(); });
  show();
}
)js";

}  // namespace qs::core
