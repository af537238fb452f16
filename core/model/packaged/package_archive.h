#pragma once

#include "core/base/zip_archive.h"
#include "core/model/packaged_program.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace qs::core::packaged {

// Note [Packages of a user]
// torch._inductor.aoti_compile_and_package writes a zip file with a shared library: a program. It
// is read here, but nothing of it is loaded: the directory of the archive, the header of the
// library and the few words that stand beside it. Refused are packages that would be compiled
// before they run (source only), that hold several models, whose library is for another machine,
// and whose weights lie outside.
struct PackageArchive {
    std::filesystem::path path;
    std::uint64_t fileBytes = 0;
    std::string model;  // its name within the archive: "model"
    ZipEntry library;   // not compressed
    // That it may read when it runs, in the same folder: kernels of a GPU, operations of PyTorch.
    std::vector<ZipEntry> besides;
    std::uint64_t sources = 0;  // files of its source, which are not used
    ProgramDevice device = ProgramDevice::Cpu;
    std::string capability;       // of the GPU it was compiled on: "9.0"; empty: not told
    std::string cpuInstructions;  // "AVX512 AVX512_VNNI"; may be empty

    // "a library of 340 kB for the CPU (AVX512)"
    [[nodiscard]] std::string text() const;
};

// Whether a zip file holds such a package and no exported program.
[[nodiscard]] bool isPackage(const std::filesystem::path& path);
[[nodiscard]] Result<PackageArchive> readPackage(const std::filesystem::path& path);
[[nodiscard]] Result<PackageArchive> readPackage(const ZipArchive& zip);

// The name of an entry within its folder: "kernel.cubin".
[[nodiscard]] std::string fileNameOf(const ZipEntry& entry);

}  // namespace qs::core::packaged
