#include "tests/lower/golden_text.h"

#include "core/base/files.h"
#include "tests/support/test_folder.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

namespace qs::tests {

namespace {

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

// Line by line: what was expected, what came. Operations are few, so that a shifted rest is no
// trouble to read.
std::string differences(const std::string& expected, const std::string& actual)
{
    const auto left = linesOf(expected);
    const auto right = linesOf(actual);
    std::string text;
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
        const std::string was = i < left.size() ? left[i] : "(no line)";
        const std::string is = i < right.size() ? right[i] : "(no line)";
        if (was != is)
            text += "line " + std::to_string(i + 1) + "\n- " + was + "\n+ " + is + "\n";
    }
    return text;
}

}  // namespace

testing::AssertionResult matchesGolden(const std::string& name, const std::string& text)
{
    const std::string file = name + ".txt";
    const auto golden =
        core::readTextFile(dataFile("golden/lower") / file, std::uint64_t{1} << 20U);
    const std::string expected = golden.ok() ? golden.value() : std::string();
    if (golden.ok() && expected == text)
        return testing::AssertionSuccess();
    const auto folder = std::filesystem::temp_directory_path() / "quantscope-actual";
    std::filesystem::create_directories(folder);
    writeFile(folder / (file + ".actual"), text);
    return testing::AssertionFailure()
           << (golden.ok() ? "" : golden.error().message + "\n") << "differs from " << file
           << "; see " << (folder / (file + ".actual")).string() << "\n"
           << differences(expected, text);
}

}  // namespace qs::tests
