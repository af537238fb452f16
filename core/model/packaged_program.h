#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace qs::core {

enum class ProgramDevice { Cpu, Cuda };

// The precision and the compile mode of a stage that is a program: those it was compiled for.
inline constexpr std::string_view kAsPackaged = "as-packaged";

// What a stage is that has no operations: a compiled program, which runs as it is, and only if its
// user trusts these bytes. See Note [Packages of a user].
struct PackagedProgram {
    std::filesystem::path file;
    std::string sha256;
    ProgramDevice device = ProgramDevice::Cpu;
    int computeMajor = 0;  // of the GPU that its kernels are for; 0: not told, or none
    int computeMinor = 0;
};

}  // namespace qs::core
