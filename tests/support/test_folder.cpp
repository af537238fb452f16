#include "tests/support/test_folder.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace qs::tests {

TestFolder::TestFolder() : m_folder(core::TemporaryFolder::create("quantscope-test-").value()) {}

std::filesystem::path dataFile(const std::string& relative)
{
    const char* moved = std::getenv("QS_TEST_DATA");
    return std::filesystem::path(moved != nullptr ? moved : QS_TEST_SOURCE_DIR) / relative;
}

void writeFile(const std::filesystem::path& path, std::string_view bytes)
{
    std::ofstream stream(path, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    QS_ASSERT(stream.good());
}

std::string readFile(const std::filesystem::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    QS_ASSERT(stream.good());
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

}  // namespace qs::tests
