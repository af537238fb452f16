#pragma once

#include "core/base/result.h"
#include "core/model/packaged/package_archive.h"

#include <filesystem>
#include <string>
#include <vector>

namespace qs::core::packaged {

// A package whose library lies in a folder of this process, ready to be loaded.
struct UnpackedPackage {
    std::filesystem::path folder;
    std::filesystem::path library;
    std::filesystem::path weights;  // that the library is given when it is loaded; may be empty
    ProgramDevice device = ProgramDevice::Cpu;
    // The library can check the shapes of its inputs when it runs.
    bool checksInputs = false;
};

// Copies the package into the folder, which is empty, and unpacks the copy: what is loaded are the
// bytes whose SHA-256 this is, whatever becomes of the file meanwhile. InvalidArgument if it has
// another one.
[[nodiscard]] Result<UnpackedPackage> unpackPackage(const std::filesystem::path& package,
                                                    const std::string& sha256,
                                                    const std::filesystem::path& folder);

}  // namespace qs::core::packaged
