#include "app/cli/trust_question.h"

#include "app/cli/terminal_text.h"
#include "core/base/clean_text.h"
#include "core/base/sandbox.h"
#include "core/report/words/program_text.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace qs::app {

namespace {

bool isYes(const std::string& answer)
{
    return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace

core::Result<std::vector<std::string>> agreedPaths(const std::filesystem::path& folder,
                                                   const core::PathTrust& trust, bool trusted)
{
    QS_TRY(const std::vector<std::string> paths, core::pathsToAgree(folder, trust));
    if (paths.empty() || trusted)
        return paths;
    std::string text =
        "this run was started by another user or on another machine, and its plan reads:";
    for (const std::string& path : paths)
        text += "\n  " + core::cleanLine(path);
    QS_RETURN_IF_ERROR(askForTrust({text, "Allow? [y/N] ", "to allow it, add --trust-paths",
                                    "not allowed; nothing was done"}));
    return paths;
}

core::Status agreeToPrograms(const std::vector<core::TrustedProgram>& programs,
                             const core::ProgramTrust& trust,
                             const std::vector<std::string>& trusted)
{
    std::string list;
    std::string options;
    for (const core::TrustedProgram& program : programs) {
        if (std::find(trusted.begin(), trusted.end(), program.sha256) != trusted.end())
            continue;
        list += "\n  " + core::cleanLine(program.name) + ", SHA-256 " + program.sha256;
        options += " --trust " + program.sha256;
    }
    if (!list.empty())
        QS_RETURN_IF_ERROR(askForTrust(
            {"this sweep runs compiled programs:" + list + "\n" +
                 core::runningMeansText(core::ProgramKind::Package, core::sandboxLimits()),
             "Trust and run them? [y/N] ", "to run them, add" + options,
             "not trusted; nothing was run"}));
    for (const core::TrustedProgram& program : programs)
        trust.agree(program.sha256);
    return {};
}

core::Status askForTrust(const TrustQuestion& question)
{
    if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0)
        return core::Error{core::ErrorCode::InvalidArgument,
                           question.text + "\n" + question.without};
    complain(question.text);
    complainText(question.prompt);
    std::string answer;
    std::getline(std::cin, answer);
    if (isYes(answer))
        return {};
    return core::Error{core::ErrorCode::InvalidArgument, question.refused};
}

}  // namespace qs::app
