#!/bin/sh
# In place of the Python that compiles packages (QUANTSCOPE_PYTHON), for tests to which it does not matter how long a
# compile takes that finds what the one before has left: the second compile of the same programs gives what the first one
# gave. Nor does it matter how fast it is what they compile. QS_COMPILING_PYTHON names the Python that compiles. Called as
# compile_package.py is; "$8" is the first report. Where QS_WARM_PYTHON names a folder, PyTorch is imported once for all
# tests: see warm_python.py.
[ "$2" = -c ] && exec "$QS_COMPILING_PYTHON" "$@"  # the question for versions
support=$(dirname "$0")
export PATH="$support/quick_compiler:$PATH"
mkdir -p "$(dirname "$2")/runtime" # also one program uses what is compiled ahead
compile() {
    [ -n "$QS_WARM_PYTHON" ] || exec "$QS_COMPILING_PYTHON" "$@"
    shift
    exec "$QS_COMPILING_PYTHON" -ES "$support/warm_python.py" "$@"
}
[ -e "$8.first" ] || (compile "$@") || exit
shift 3
while [ $# -gt 0 ]; do
    if [ -e "$5.first" ]; then cp "$5.first" "$5"; else cp "$5" "$5.first"; fi || exit
    shift 7
done
