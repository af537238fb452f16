# Sourced by run.sh and test.sh: installs what is missing and says what and how big. Idempotent.
# Needs: $root (the source tree). Gives: quantscope_setup FOR, where FOR is "run" or "test", and its two halves, each
# called the same way: quantscope_setup_packages (of the system) and quantscope_setup_wheels (of Python; then the
# browser, which only the last tests need).

qs_say() { printf '\033[1m%s\033[0m\n' "quantscope: $*"; }
qs_fail() { printf 'quantscope: %s\n' "$*" >&2; exit 1; }

qs_as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else qs_fail "cannot install packages: not root and no sudo. Missing: $qs_missing"
    fi
}

qs_build_packages="g++ cmake ninja-build ccache mold python3 python3-venv ca-certificates
    qt6-base-dev qt6-svg-dev libgl-dev libxkbcommon-dev libvulkan-dev libqcustomplot-dev
    libopencv-core-dev libopencv-imgproc-dev nlohmann-json3-dev libcli11-dev libfmt-dev libsimdjson-dev libjemalloc-dev
    libpng-dev libssl-dev zlib1g-dev fonts-dejavu-core"
qs_test_packages="libgtest-dev libgmock-dev git strace clang-16 libclang-rt-16-dev clang-format-14"

# Debian calls the headers of libjpeg-turbo libjpeg62-turbo-dev, Ubuntu libjpeg-turbo8-dev.
qs_jpeg_package() {
    . /etc/os-release
    case "$ID" in ubuntu) echo libjpeg-turbo8-dev;; *) echo libjpeg62-turbo-dev;; esac
}

qs_install_packages() {
    command -v apt-get >/dev/null || qs_fail "this script installs with apt (Debian 12, Ubuntu 24.04). Elsewhere install: $*"
    qs_missing=""
    for package in "$@"; do
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || qs_missing="$qs_missing $package"
    done
    [ -z "$qs_missing" ] && return 0
    qs_say "installing$qs_missing"
    qs_as_root apt-get update -qq >/dev/null 2>&1 || qs_say "apt-get update failed; going on with the package lists that are there"
    qs_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $qs_missing >/dev/null \
        || qs_fail "apt-get could not install:$qs_missing"
}

# LibTorch is the PyPI wheel. nvidia-cuda-crt completes its CUDA headers, so that the GPU half needs no toolkit.
qs_install_torch() {
    local venv="$root/.venv" stamp="$root/.venv/quantscope-requirements"
    local wanted="torch==2.11.0 nvidia-cuda-crt==13.0.88 numpy safetensors pandas"
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then return 0; fi
    local free_kib
    free_kib=$(df -Pk "$root" | awk 'NR==2 {print $4}')
    [ "$free_kib" -gt 7000000 ] || qs_fail "the PyTorch wheel needs about 6 GB of disk; only $((free_kib / 1048576)) GiB are free in $root"
    qs_say "installing PyTorch 2.11.0 into .venv (a download of about 2.5 GB, 4.6 GB on disk)"
    [ -x "$venv/bin/pip" ] || /usr/bin/python3 -m venv "$venv" || qs_fail "python3 cannot make the virtual environment $venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check $wanted || qs_fail "pip could not install: $wanted"
    printf '%s' "$wanted" > "$stamp"
}

# Whose formats quantized checkpoints are written in: tests read them back by these. Without what they name as needed
# beyond that (transformers, another torch), beside .venv, which the program uses.
qs_install_oracles() {
    local folder="$root/.venv-oracle" stamp="$root/.venv-oracle/quantscope-requirements"
    local wanted="torchao==0.18.0 compressed-tensors==0.12.2 pydantic==2.13.4 pydantic-core==2.46.4 annotated-types==0.7.0
        typing-inspection==0.4.2 loguru==0.7.3 tqdm==4.67.1"
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then return 0; fi
    qs_say "installing torchao 0.18.0 and compressed-tensors 0.12.2 into .venv-oracle (a download of about 6 MB)"
    rm -rf "$folder"
    "$root/.venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-compile --target "$folder" $wanted \
        || qs_fail "pip could not install: $wanted"
    printf '%s' "$wanted" > "$stamp"
}

# A test opens the report in it. Ubuntu has it as a snap only: there the test is skipped.
qs_install_browser() {
    command -v chromium-headless-shell chromium google-chrome >/dev/null && return 0
    apt-cache show chromium-headless-shell >/dev/null 2>&1 || return 0
    qs_say "installing chromium-headless-shell (a download of about 100 MB)"
    qs_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium-headless-shell \
        >/dev/null || qs_say "no browser could be installed: report.html is not opened in one"
}

quantscope_setup_packages() {
    export CCACHE_DIR="${CCACHE_DIR:-$root/.cache/ccache}"
    local packages="$qs_build_packages $(qs_jpeg_package)"
    [ "$1" = test ] && packages="$packages $qs_test_packages"
    qs_install_packages $packages
}

quantscope_setup_wheels() {
    qs_install_torch
    if [ "$1" = test ]; then
        qs_install_oracles
        qs_install_browser
    fi
    if [ -e /dev/nvidiactl ]; then
        local driver
        driver=$(sed -n 's/.*Kernel Module[^0-9]*\([0-9]*\)\..*/\1/p' /proc/driver/nvidia/version 2>/dev/null)
        if [ -n "$driver" ] && [ "$driver" -lt 580 ]; then
            qs_say "the NVIDIA driver $driver is too old for CUDA 13 (580 or newer is needed): cells will run on the CPU only"
        fi
    fi
}

quantscope_setup() {
    quantscope_setup_packages "$1"
    quantscope_setup_wheels "$1"
}
