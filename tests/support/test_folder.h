#pragma once

#include "core/base/temporary_folder.h"

#include <filesystem>
#include <string>

namespace qs::tests {

// A fresh folder that lives as long as the object; ends the test program if none can be made.
class TestFolder final
{
public:
    TestFolder();
    [[nodiscard]] const std::filesystem::path& path() const { return m_folder.path(); }
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const
    {
        return path() / name;
    }

private:
    core::TemporaryFolder m_folder;
};

// Files that belong to the tests, e.g. dataFile("golden/ssim.json"). QS_TEST_DATA moves the root,
// so that the tests can travel in a bundle.
[[nodiscard]] std::filesystem::path dataFile(const std::string& relative);

void writeFile(const std::filesystem::path& path, std::string_view bytes);
[[nodiscard]] std::string readFile(const std::filesystem::path& path);

}  // namespace qs::tests
