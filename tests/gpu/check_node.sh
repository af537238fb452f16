#!/usr/bin/env bash
# Everything that has to be true on a GPU server, in one go: devices, GPU tests, memory checks, self-test, comparison with
# plain PyTorch. Usage: check_node.sh BUNDLE OUT    (BUNDLE from packaging/node.sh; logs and raw rows go to OUT)
set -uo pipefail
bundle=$1
out=$2
mkdir -p "$out"
failed=0
step() {
    local name=$1; shift
    local begin=$SECONDS
    "$@" > "$out/$name.log" 2>&1
    local code=$?
    echo "$name: exit $code after $((SECONDS - begin)) s"
    tail -n 4 "$out/$name.log" | cut -c1-300
    [ $code = 0 ] || failed=1
}
node="$bundle/quantscope-node"
step devices "$node" quantscope-cli devices
export QS_TEST_KERNELS="$out/kernels"  # the checkers below watch the kernels that are chosen here
step tst_gpu "$node" tst_gpu
# Every kernel of ours, at the shapes that its tests have. The launcher sets the library path, so the checker runs inside.
own='*CudaProduct*:CudaPlainProducts*:*CudaSkinny*:CudaFused*:*/CudaFusedRows*:*CudaAttention*'
cells='CudaNumerics.*:CudaCells.ARecordedPass*:All/CudaFamilies.ARecorded*:Precisions/FusedPrecisions*:Precisions/CudaPlainCells*'
check() {
    local tool=$1 tests=$2; shift 2
    step "$tool" timeout 1200 "$node" /usr/bin/env compute-sanitizer --tool "$tool" "$@" --error-exitcode 9 \
        "$bundle/bin/tst_gpu" --gtest_filter="$tests"
}
check memcheck "$own:$cells"  # a step that fails where there is no compute-sanitizer
# Races of our kernels alone: those of libraries take most of the time, and cuDNN's attention has some. Products have
# operands that are small enough: on others this checker takes minutes a test.
check racecheck '*CudaRacecheck*:CudaFused*:*/CudaFusedRows*:*CudaAttention*' --kernel-name kns=qs_
# Everything has to be watched here: what a kernel outside of the filter wrote would count as never written. What cuBLAS
# stores through the tensor memory accelerator is not seen, and reported where PyTorch adds a bias to it.
check initcheck "$own"
step selftest "$node" quantscope-cli selftest
step measure_products "$node" measure_products
step side_by_side "${PYTHON:-python3}" "$(dirname "$0")/side_by_side.py" "$bundle" "$out" --rounds 3 --batches 1,16,64
cat "$out/side_by_side.log" | cut -c1-420
exit $failed
