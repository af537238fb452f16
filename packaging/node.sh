#!/usr/bin/env bash
# Makes a relocatable bundle for a GPU server that has the same torch wheel: command line, worker, GPU tests, presets and
# the demo model; no Qt, and no Torch inside; and packs it for the way there (FOLDER.tar.xz, less than 30 MB).
# Usage: packaging/node.sh [FOLDER]   (default build/node/quantscope-node)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
. packaging/setup.sh
quantscope_setup test

bundle=${1:-"$root/build/node/quantscope-node"}
cmake --preset cuda -DQS_UNITY=ON >/dev/null
cmake --build --preset cuda --target quantscope-cli quantscope-worker tst_gpu measure_kernels measure_products -- --quiet

rm -rf "$bundle"
mkdir -p "$bundle/bin" "$bundle/lib" "$bundle/resources" "$bundle/tests"
for program in quantscope-cli quantscope-worker tst_gpu measure_kernels measure_products; do
    strip -o "$bundle/bin/$program" "build/cuda/bin/$program"
done
cp -r resources/demo_model resources/demo_text_model resources/test_images "$bundle/resources/"
cp -r presets "$bundle/presets"
mkdir -p "$bundle/tests/golden"
cp -r tests/golden/vitok tests/golden/schemes "$bundle/tests/golden/" 2>/dev/null || cp -r tests/golden/vitok "$bundle/tests/golden/"
cp -r tests/oracle "$bundle/tests/oracle"
cp tests/gpu/*.py "$bundle/tests/" 2>/dev/null || true
find "$bundle" -name __pycache__ -prune -exec rm -rf {} +

# Everything the programs need besides the C library, libstdc++, Torch and the CUDA wheels, which the server has.
ldd "$bundle"/bin/* | awk '/=> \// {print $3}' | sort -u \
    | grep -vE '/(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+|ld-linux[^/]*)\.so' \
    | grep -vE '/(torch|nvidia)/' | while read -r library; do cp -L "$library" "$bundle/lib/"; done

# Starts a program of the bundle with the server's Torch.
cat > "$bundle/quantscope-node" <<'LAUNCH'
#!/usr/bin/env bash
# Usage: quantscope-node PROGRAM [ARGUMENT…], e.g. quantscope-node quantscope-cli devices
# PYTHON names the interpreter that has torch 2.11.0 (default python3).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
site=$("${PYTHON:-python3}" -c 'import importlib.util, pathlib; print(pathlib.Path(importlib.util.find_spec("torch").origin).parent.parent)') \
    || { echo "quantscope-node: ${PYTHON:-python3} has no torch; install torch==2.11.0 or set PYTHON" >&2; exit 2; }
version=$(sed -n "s/^__version__ = '\([0-9.]*\).*/\1/p" "$site/torch/version.py")
[ "$version" = 2.11.0 ] || { echo "quantscope-node: torch $version is installed, but this bundle was built for 2.11.0" >&2; exit 2; }
path="$site/torch/lib:$here/lib"
for folder in "$site"/nvidia/*/lib; do path="$path:$folder"; done
export LD_LIBRARY_PATH="$path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export QS_TEST_DATA="$here/tests"
program=$1; shift
# A program by its path (a checker, say) runs in the same environment.
case "$program" in /*) exec "$program" "$@";; esac
exec "$here/bin/$program" "$@"
LAUNCH
chmod +x "$bundle/quantscope-node"
size=$(du -sm "$bundle" | cut -f1)
# One dictionary over all programs: most of each is in the others, too.
tar --sort=name -C "$(dirname "$bundle")" -cf - "$(basename "$bundle")" \
    | xz -T1 --x86 --lzma2=preset=9,dict=128MiB > "$bundle.tar.xz"
packed=$(stat -c %s "$bundle.tar.xz")
qs_say "bundle: $bundle ($size MiB), packed: $bundle.tar.xz ($packed bytes)"
[ "$packed" -lt 30000000 ] || { echo "packaging/node.sh: the packed bundle has 30 MB or more" >&2; exit 1; }
