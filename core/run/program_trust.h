#pragma once

#include "core/base/result.h"
#include "core/sweep/plan.h"

#include <filesystem>
#include <string>
#include <vector>

namespace qs::core {

// A program that its user has agreed to run, by its content: another file is another program.
struct TrustedProgram {
    std::string sha256;
    std::string name;  // that the file had then, for lists
    bool operator==(const TrustedProgram&) const = default;
};

// Which programs this user trusts, see Note [Conversion of programs] and Note [Packages of a user].
// Kept in a file that only this user can write; one that others could have written says nothing.
class ProgramTrust final
{
public:
    // Empty: nothing is remembered.
    explicit ProgramTrust(std::filesystem::path file) : m_file(std::move(file)) {}

    [[nodiscard]] std::vector<TrustedProgram> all() const;
    [[nodiscard]] bool trusts(const std::string& sha256) const;
    [[nodiscard]] Status remember(const TrustedProgram& program) const;
    [[nodiscard]] Status forget(const std::string& sha256) const;
    // For as long as this process lives, whether it is remembered or not. From any thread.
    void agree(const std::string& sha256) const;

private:
    [[nodiscard]] Status write(const std::vector<TrustedProgram>& programs) const;

    std::filesystem::path m_file;
};

// The compiled programs that cells of the plan would run and that are not trusted, each once; named
// by their models.
[[nodiscard]] std::vector<TrustedProgram> programsToTrust(const Plan& plan,
                                                          const ProgramTrust& trust);
// Of the run in this folder.
[[nodiscard]] Result<std::vector<TrustedProgram>>
programsToTrust(const std::filesystem::path& runFolder, const ProgramTrust& trust);

}  // namespace qs::core
