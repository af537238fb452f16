#!/usr/bin/env bash
# Takes a picture of every view, light and dark, of a run that is measured already; nothing is measured here.
# Usage: packaging/screenshots.sh [FOLDER] [PROGRAM]
#   FOLDER   where the pictures go (default resources/screenshots)
#   PROGRAM  the window's program (default build/release/bin/quantscope, as run.sh builds it)
# Qt draws without a display (platform "offscreen"), so that the pictures are the same everywhere.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-"$root/resources/screenshots"}
program=${2:-"$root/build/release/bin/quantscope"}
[ -x "$program" ] || { echo "screenshots: there is no $program; build it first (packaging/run.sh)" >&2; exit 1; }
mkdir -p "$out"
# Paths of the runs show in the pictures: they are relative to the source tree.
cd "$root"
settings=$(mktemp -d)
trap 'rm -rf "$settings"' EXIT
export QT_QPA_PLATFORM=offscreen QT_FONT_DPI=96 XDG_RUNTIME_DIR="$settings"

shoot() {
    local name=$1; shift
    "$program" --settings "$settings/$name.ini" --runs "$settings/runs" --screenshot "$out/$name.png" "$@" 2>/dev/null \
        || { echo "screenshots: $name failed" >&2; return 1; }
    echo "$out/$name.png"
}

for theme in light dark; do
    for view in curves table layers runs; do
        shoot "$view-$theme" --run resources/example_runs/demo_h200 --view "$view" --theme "$theme" --size 1500x860
    done
    shoot "small-$theme" --run resources/example_runs/demo_h200 --view curves --theme "$theme" --size 1366x768
    shoot "untrained-$theme" --run resources/example_runs/vitok_350m_h200 --view curves --theme "$theme" --size 1500x860
done
QT_SCALE_FACTOR=1.5 shoot scaled-1.5 --run resources/example_runs/demo_h200 --view curves --theme light --size 1500x860
QT_SCALE_FACTOR=2 shoot scaled-2 --run resources/example_runs/demo_h200 --view curves --theme light --size 1500x860
