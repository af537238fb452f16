#include "core/run/program_trust.h"

#include "core/base/clean_text.h"
#include "core/base/json.h"
#include "core/run/own_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

constexpr const char* kTrusted = "trusted";
constexpr std::size_t kMostPrograms = 1000;

}  // namespace

std::vector<TrustedProgram> ProgramTrust::all() const
{
    std::vector<TrustedProgram> programs;
    const auto list = readOwnList(m_file, kTrusted);
    if (!list)
        return programs;
    std::vector<JsonIssue> issues;
    for (const Json& each : *list) {
        JsonFields entry(each, "$.trusted", issues);
        programs.push_back({entry.text("sha256"), cleanLine(entry.text("name"))});
    }
    return issues.empty() ? programs : std::vector<TrustedProgram>();
}

bool ProgramTrust::trusts(const std::string& sha256) const
{
    const std::vector<TrustedProgram> programs = all();
    return std::any_of(programs.begin(), programs.end(),
                       [&](const TrustedProgram& each) { return each.sha256 == sha256; });
}

Status ProgramTrust::remember(const TrustedProgram& program) const
{
    std::vector<TrustedProgram> programs = all();
    std::erase_if(programs, [&](const auto& each) { return each.sha256 == program.sha256; });
    programs.push_back(program);
    if (programs.size() > kMostPrograms)
        programs.erase(programs.begin());
    return write(programs);
}

Status ProgramTrust::forget(const std::string& sha256) const
{
    std::vector<TrustedProgram> programs = all();
    std::erase_if(programs, [&](const auto& each) { return each.sha256 == sha256; });
    return write(programs);
}

Status ProgramTrust::write(const std::vector<TrustedProgram>& programs) const
{
    if (m_file.empty())
        return Error{ErrorCode::NotFound, "there is no folder to remember it in"};
    Json list = Json::array();
    for (const TrustedProgram& each : programs)
        list.push_back({{"sha256", each.sha256}, {"name", each.name}});
    return writeOwnList(m_file, kTrusted, std::move(list));
}

}  // namespace qs::core
