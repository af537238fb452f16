#!/usr/bin/env bash
# Takes a screenshot of every view, light and dark, of a finished run; nothing is measured.
# Usage: packaging/screenshots.sh [FOLDER] [PROGRAM]      every view and size, for looking at
#        packaging/screenshots.sh --keep [PROGRAM]        those of the help pages and of README.md, into the source tree
#   FOLDER   where the screenshots go (default build/screenshots)
#   PROGRAM  the window's program (default build/release/bin/quantscope, as run.sh builds it)
# Qt draws without a display (platform "offscreen"), so that the screenshots are the same everywhere. --keep needs pngquant,
# which makes them small.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-"$root/build/screenshots"}
program=${2:-"$root/build/release/bin/quantscope"}
[ -x "$program" ] || { echo "screenshots: there is no $program; build it first (packaging/run.sh)" >&2; exit 1; }
# Paths of the runs are visible in the screenshots: they are relative to the source tree.
cd "$root"
program=$(realpath "$program")
settings=$(mktemp -d)
trap 'rm -rf "$settings"' EXIT
export QT_QPA_PLATFORM=offscreen QT_FONT_DPI=96 XDG_RUNTIME_DIR="$settings"
example=resources/example_runs/demo_h200

shoot() {
    local file=$1; shift
    mkdir -p "$(dirname "$file")"
    "$program" --settings "$settings/$(basename "$file").ini" --runs "$settings/runs" --screenshot "$file" "$@" 2>/dev/null \
        || { echo "screenshots: $file failed" >&2; return 1; }
    echo "$file"
}

# As few colours as it takes to be smaller than so many KiB, without dots that text would suffer from.
shrink() {
    local file=$1 most=$3 colours
    for colours in 256 128 64 32; do
        pngquant --nofs --speed 1 --strip --force --output "$file" "$colours" -- "$2"
        [ "$(stat -c %s "$file")" -gt $((most * 1024)) ] || return 0
    done
    echo "screenshots: $file is larger than $most KiB" >&2
    return 1
}

# keep KIB FILE WHAT... : in both themes, FILE.png and FILE-dark.png.
keep() {
    local most=$1 file=$2 theme; shift 2
    for theme in light dark; do
        shoot "$settings/raw.png" --theme "$theme" "$@" >/dev/null
        local kept=$file; [ "$theme" = light ] || kept=$file-dark
        shrink "$kept.png" "$settings/raw.png" "$most"
        echo "$kept.png"
    done
}

if [ "$out" = --keep ]; then
    help=resources/help/pictures
    mkdir -p "$help"
    keep 200 resources/screenshots/window --run "$example" --view curves --size 1500x860
    keep 100 "$help/start" --run "$example" --view curves --size 1280x720
    keep 100 "$help/sweep" --run "$example" --size 1500x1060 --screenshot-action actionPlan --screenshot-part planPanel
    keep 100 "$help/layers" --run "$example" --view layers --size 1366x700 --screenshot-part viewTabs
    keep 100 "$help/curves" --run "$example" --view curves --size 1500x760 --screenshot-part viewTabs
    keep 100 "$help/table" --run "$example" --view table --size 1600x900 --screenshot-part cellTable
    keep 100 "$help/compare" --run "$example" --size 1500x860 --screenshot-part compareView
    keep 100 "$help/answer" --run "$example" --size 1280x700 --screenshot-part answerBar
    keep 100 "$help/measured" --run "$example" --screenshot-action actionMeasured --screenshot-part measuredWindow
    keep 100 "$help/runs" --run "$example" --screenshot-action actionRuns --size 1500x560 --screenshot-part viewTabs
    exit
fi

for theme in light dark; do
    for view in curves pareto time table layers compile; do
        shoot "$out/$view-$theme.png" --run "$example" --view "$view" --theme "$theme" --size 1500x860
        QT_SCALE_FACTOR=1.5 shoot "$out/$view-1.5-$theme.png" --run "$example" --view "$view" --theme "$theme" --size 1280x720
        QT_SCALE_FACTOR=2 shoot "$out/$view-2-$theme.png" --run "$example" --view "$view" --theme "$theme" --size 960x540
    done
    # A run that opens leaves the list, so that the list is chosen afterwards.
    for action in Runs Plan; do
        shoot "$out/${action,,}-$theme.png" --run "$example" --screenshot-action "action$action" --theme "$theme" --size 1500x860
        QT_SCALE_FACTOR=1.5 shoot "$out/${action,,}-1.5-$theme.png" --run "$example" --screenshot-action "action$action" --theme "$theme" --size 1280x720
        QT_SCALE_FACTOR=2 shoot "$out/${action,,}-2-$theme.png" --run "$example" --screenshot-action "action$action" --theme "$theme" --size 960x540
    done
    shoot "$out/small-$theme.png" --run "$example" --view curves --theme "$theme" --size 1366x768
    shoot "$out/smallest-$theme.png" --run "$example" --view curves --theme "$theme" --size 1024x640
    shoot "$out/large-$theme.png" --run "$example" --view curves --theme "$theme" --size 3840x2160
    shoot "$out/schemes-$theme.png" --run resources/example_runs/demo_schemes_h200 --theme "$theme" --size 1500x860
    shoot "$out/unsaved-$theme.png" --run resources/example_runs/vitok_350m_schemes_h100 --theme "$theme" --size 1500x860
    shoot "$out/compiled-$theme.png" --run resources/example_runs/vitok_350m_modes_h200 --view compile --theme "$theme" --size 1500x860
done
