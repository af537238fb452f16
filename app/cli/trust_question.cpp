#include "app/cli/trust_question.h"

#include "app/cli/terminal_text.h"
#include "core/base/clean_text.h"

#include <unistd.h>

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
    if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0)
        return core::Error{core::ErrorCode::InvalidArgument,
                           text + "\nto allow it, add --trust-paths"};
    complain(text);
    complainText("Allow? [y/N] ");
    std::string answer;
    std::getline(std::cin, answer);
    if (isYes(answer))
        return paths;
    return core::Error{core::ErrorCode::InvalidArgument, "not allowed; nothing was done"};
}

}  // namespace qs::app
