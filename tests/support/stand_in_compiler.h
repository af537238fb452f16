#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace qs::tests {

// While it lives, QUANTSCOPE_PYTHON names a program in `folder` that runs these lines of shell
// where packages are compiled. Of the first program, "$4" and "$5" are the archive and the package,
// "$8" the report, "$9" the folder that the compiler may keep things in; of each further one, six
// more.
class StandInCompiler final
{
public:
    StandInCompiler(const std::filesystem::path& folder, const std::string& lines);
    ~StandInCompiler();
    StandInCompiler(const StandInCompiler&) = delete;
    StandInCompiler& operator=(const StandInCompiler&) = delete;

    // What it answers to the question for versions, a JSON object; the usual ones before.
    void setVersions(const std::string& json) const;
    // The process of each call to compile, in order, of this one and of those before it in the
    // folder.
    [[nodiscard]] static std::vector<int> calls(const std::filesystem::path& folder);
    // The same of each question for versions.
    [[nodiscard]] static std::vector<int> questions(const std::filesystem::path& folder);

private:
    std::filesystem::path m_versions;
};

}  // namespace qs::tests
