# FindTorchWheel: LibTorch as the PyPI wheel ships it, without torch's own CMake config (which wants a toolkit).
#
# Input:  QS_TORCH_DIR   folder of the installed "torch" package (default: the project's .venv)
# Output: TorchWheel::cpu    torch_cpu, c10, torch      needs no CUDA header
#         TorchWheel::cuda   the above + torch_cuda, c10_cuda, cudart from the wheels, if their headers are whole
#         TorchWheel_VERSION, TorchWheel_CUDA_FOUND, TorchWheel_CUDA_MISSING (what is missing, in words)
if(NOT QS_TORCH_DIR)
    file(GLOB _qs_candidates "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/torch")
    if(_qs_candidates)
        list(GET _qs_candidates 0 _qs_first)
        set(QS_TORCH_DIR "${_qs_first}" CACHE PATH "Folder of the installed torch package")
    endif()
endif()

set(TorchWheel_VERSION "")
if(QS_TORCH_DIR AND EXISTS "${QS_TORCH_DIR}/version.py")
    file(STRINGS "${QS_TORCH_DIR}/version.py" _qs_line REGEX "^__version__ = ")
    string(REGEX REPLACE "^__version__ = '([0-9.]+).*" "\\1" TorchWheel_VERSION "${_qs_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(TorchWheel
    REQUIRED_VARS QS_TORCH_DIR TorchWheel_VERSION
    VERSION_VAR TorchWheel_VERSION
    REASON_FAILURE_MESSAGE "run ./packaging/test.sh once, or set QS_TORCH_DIR to the folder of an installed torch 2.11.0")
if(NOT TorchWheel_FOUND)
    return()
endif()

get_filename_component(_qs_site "${QS_TORCH_DIR}" DIRECTORY)
set(_qs_torch_lib "${QS_TORCH_DIR}/lib")
set(_qs_cuda_root "${_qs_site}/nvidia/cu13")


if(NOT TARGET TorchWheel::cpu)
    add_library(TorchWheel::cpu INTERFACE IMPORTED GLOBAL)
    # SYSTEM: warnings inside Torch's headers are not ours to fix.
    target_include_directories(TorchWheel::cpu SYSTEM INTERFACE
        "${QS_TORCH_DIR}/include" "${QS_TORCH_DIR}/include/torch/csrc/api/include")
    # GCC sees a null intrusive pointer where Torch's inlined reference counting cannot have one.
    target_compile_options(TorchWheel::cpu INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
    # libtorch.so has no symbols of its own, but compiled packages ask for it by name.
    target_link_libraries(TorchWheel::cpu INTERFACE
        "${_qs_torch_lib}/libtorch_cpu.so" "${_qs_torch_lib}/libc10.so"
        -Wl,--no-as-needed "${_qs_torch_lib}/libtorch.so" -Wl,--as-needed)
    target_link_options(TorchWheel::cpu INTERFACE
        "-Wl,-rpath-link,${_qs_torch_lib}:${_qs_cuda_root}/lib" -Wl,--allow-shlib-undefined)
endif()

set(TorchWheel_CUDA_FOUND FALSE)
set(TorchWheel_CUDA_MISSING "")
if(NOT EXISTS "${_qs_torch_lib}/libtorch_cuda.so")
    set(TorchWheel_CUDA_MISSING "this torch wheel is a CPU build")
elseif(NOT EXISTS "${_qs_cuda_root}/include/cuda_runtime_api.h")
    set(TorchWheel_CUDA_MISSING "the wheel nvidia-cuda-runtime is not installed")
elseif(NOT EXISTS "${_qs_cuda_root}/include/crt/host_defines.h")
    set(TorchWheel_CUDA_MISSING "the wheel nvidia-cuda-crt==13.0.88 is not installed")
else()
    set(TorchWheel_CUDA_FOUND TRUE)
    if(NOT TARGET TorchWheel::cuda)
        add_library(TorchWheel::cuda INTERFACE IMPORTED GLOBAL)
        target_include_directories(TorchWheel::cuda SYSTEM INTERFACE "${_qs_cuda_root}/include")
        target_link_libraries(TorchWheel::cuda INTERFACE TorchWheel::cpu
            -Wl,--no-as-needed "${_qs_torch_lib}/libtorch_cuda.so" "${_qs_torch_lib}/libc10_cuda.so"
            -Wl,--as-needed "${_qs_cuda_root}/lib/libcudart.so.13")
    endif()
endif()
