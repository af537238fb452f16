#include "core/run/program_trust.h"

#include "core/base/clean_text.h"
#include "core/base/json.h"
#include "core/record/run_folder.h"
#include "core/run/own_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

namespace qs::core {

namespace {

constexpr const char* kTrusted = "trusted";
constexpr std::size_t kMostPrograms = 1000;

// What was agreed to in this process, and the file that the user keeps the rest in.
class AgreedPrograms final
{
public:
    void add(const std::filesystem::path& file, const std::string& sha256)
    {
        const std::lock_guard lock(m_mutex);
        m_all.emplace(file, sha256);
    }
    void remove(const std::filesystem::path& file, const std::string& sha256)
    {
        const std::lock_guard lock(m_mutex);
        m_all.erase({file, sha256});
    }
    [[nodiscard]] bool has(const std::filesystem::path& file, const std::string& sha256)
    {
        const std::lock_guard lock(m_mutex);
        return m_all.contains({file, sha256});
    }

private:
    std::mutex m_mutex;
    std::set<std::pair<std::filesystem::path, std::string>> m_all;
};

AgreedPrograms& agreedPrograms()
{
    static AgreedPrograms agreed;
    return agreed;
}

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
    if (agreedPrograms().has(m_file, sha256))
        return true;
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

void ProgramTrust::agree(const std::string& sha256) const
{
    agreedPrograms().add(m_file, sha256);
}

Status ProgramTrust::forget(const std::string& sha256) const
{
    agreedPrograms().remove(m_file, sha256);
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

std::vector<TrustedProgram> programsToTrust(const Plan& plan, const ProgramTrust& trust)
{
    std::vector<TrustedProgram> unknown;
    for (const PlannedCell& cell : plan.cells) {
        const auto isThis = [&](const TrustedProgram& each) { return each.sha256 == cell.program; };
        if (!cell.program.empty() && cell.possible() &&
            std::none_of(unknown.begin(), unknown.end(), isThis) && !trust.trusts(cell.program))
            unknown.push_back({cell.program, cell.config.model});
    }
    return unknown;
}

Result<std::vector<TrustedProgram>> programsToTrust(const std::filesystem::path& runFolder,
                                                    const ProgramTrust& trust)
{
    QS_TRY(const Plan plan, readRunPlan(runFolder));
    return programsToTrust(plan, trust);
}

}  // namespace qs::core
