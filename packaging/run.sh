#!/usr/bin/env bash
# Builds QuantScope and starts its main job: the window on the demo model or, without a display, the same demo sweep
# headless, ending with the path of the report. Further arguments go to the program.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
. packaging/setup.sh
quantscope_setup run

qs_say "building (the first time takes some minutes)"
cmake --preset release >/dev/null
cmake --build --preset release -- --quiet

# The window chooses its first sweep by itself, and shows the finished example beside it.
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec build/release/bin/quantscope "$@"
fi
preset=presets/quick_start/demo_cpu.json
if [ -e /dev/nvidiactl ]; then preset=presets/quick_start/demo_gpu.json; fi
out="$root/runs/demo-$(date -u +%Y%m%d-%H%M%S)"
qs_say "no display: the demo sweep runs headless into $out"
mkdir -p "$root/runs"
build/release/bin/quantscope-cli run "$preset" --out "$out" "$@"
build/release/bin/quantscope-cli report "$out" --md --csv
qs_say "report: $out/summary.md"
