#!/usr/bin/env bash
# Sets everything up and runs every test that needs no GPU: those of core alone under AddressSanitizer and
# UndefinedBehaviorSanitizer, then the whole tree with warnings as errors and all tests of engine, programs and window.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
. packaging/setup.sh
quantscope_setup_packages test
# Meanwhile something is built that needs none of them.
quantscope_setup_wheels test &
wheels=$!
trap wait EXIT
# Tests do not skip what was installed for them.
export QS_REQUIRE_ORACLES=1

started=$SECONDS
qs_say "building and testing core under sanitizers"
# Clang compiles the tree in 0.7 of GCC's time, and the sanitized part in 0.6. The presets by themselves, as developers
# and run.sh build them, take the compiler of the system.
with_clang=(-DCMAKE_CXX_COMPILER=clang++-16 -DQS_FILES_OF_ONE=48)
# Stacks name functions; who needs lines of a finding builds the preset as it is (a quarter of the time to compile).
build_sanitized() {
    cmake --preset asan "${with_clang[@]}" -DCMAKE_CXX_FLAGS_DEBUG="-O0 -g0" >/dev/null
    cmake --build --preset asan -- --quiet
}
build_sanitized
wait "$wheels"
build_sanitized  # with the tests that need the wheels
# More than there are processors: tests wait for processes, windows and clocks. On two, three of them at once take a
# tenth longer than four.
tests=$(($(nproc) + 2))
ctest --preset asan -j "$tests"

qs_say "building everything (sanitized part took $((SECONDS - started)) s)"
cmake --preset ci "${with_clang[@]}" -DQS_WITH_CORE_TESTS=OFF -DQS_UNITY=ON >/dev/null
cmake --build --preset ci -- --quiet
qs_say "running the other tests (built after $((SECONDS - started)) s)"
ctest --preset ci -j "$tests"
