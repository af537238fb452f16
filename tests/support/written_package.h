#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace qs::tests {

// A shared library for this machine as far as anybody looks: its header.
[[nodiscard]] std::string libraryBytes();

// The files of a package of AOTInductor by their names in the archive; a library and what torch
// writes beside it are there.
struct WrittenPackage {
    std::map<std::string, std::string> files;

    explicit WrittenPackage(const std::string& device = "cpu", const std::string& capability = {});
    void write(const std::filesystem::path& file) const;
    // With what a trial found out: "x=float32[batch,8]".
    void writeTried(const std::filesystem::path& file, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs, int lowestBatch = 1) const;
};

// Where such a file stands: "m/data/aotinductor/model/x.cubin".
[[nodiscard]] std::string inPackage(const std::string& name);

}  // namespace qs::tests
