#pragma once

#include "core/base/result.h"
#include "core/run/path_trust.h"
#include "core/run/program_trust.h"

#include <filesystem>
#include <string>
#include <vector>

namespace qs::app {

// The paths that going on with this run would read and that its user has to agree to: none if there
// are none. Asks on a terminal; without one, or if the answer is no, the error says how to go on.
// `trusted`: the user has agreed on the command line.
[[nodiscard]] core::Result<std::vector<std::string>>
agreedPaths(const std::filesystem::path& folder, const core::PathTrust& trust, bool trusted);

// Ok if the user agrees to run these compiled programs, or has done so on the command line, by
// SHA-256; they are trusted from then on, for as long as this process lives.
[[nodiscard]] core::Status agreeToPrograms(const std::vector<core::TrustedProgram>& programs,
                                           const core::ProgramTrust& trust,
                                           const std::vector<std::string>& trusted);

// A question that decides whether anything is done at all.
struct TrustQuestion {
    std::string text;     // what it is about
    std::string prompt;   // "Allow? [y/N] "
    std::string without;  // how to agree where nobody can be asked
    std::string refused;  // what is said after no
};
// Asks on a terminal. Ok if the answer is yes; without a terminal the error says how to go on.
[[nodiscard]] core::Status askForTrust(const TrustQuestion& question);

}  // namespace qs::app
