#include "core/analysis/counted_rounds.h"

#include "core/stats/moments.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace qs::core {

namespace {

using Rows = std::vector<const RowFigures*>;

bool tellsNothing(const RowFigures& row)
{
    return row.status() == CellStatus::Cancelled || row.status() == CellStatus::Skipped;
}

// Rows of one round in order of their attempts.
const RowFigures* countedAttempt(std::span<const RowFigures* const> attempts)
{
    for (const RowFigures* row : attempts) {
        if (row->ok())
            return row;
    }
    for (std::size_t i = attempts.size(); i-- > 0;) {
        if (!tellsNothing(*attempts[i]))
            return attempts[i];
    }
    return attempts.back();
}

RoundsByEnvironment roundsOf(Rows& rows)
{
    const auto roundKey = [](const RowFigures* row) {
        return std::tuple(std::string_view(row->evidence->environmentId), row->round);
    };
    std::stable_sort(rows.begin(), rows.end(), [&](const RowFigures* a, const RowFigures* b) {
        return std::tuple(roundKey(a), a->attempt) < std::tuple(roundKey(b), b->attempt);
    });
    RoundsByEnvironment rounds;
    for (auto begin = rows.begin(); begin != rows.end();) {
        const auto end = std::find_if(begin, rows.end(), [&](const RowFigures* row) {
            return roundKey(row) != roundKey(*begin);
        });
        const RowFigures* row = countedAttempt(std::span(begin, end));
        rounds[row->evidence->environmentId].push_back({row});
        begin = end;
    }
    for (auto& [environment, list] : rounds) {
        const bool onlyEmpty = std::all_of(list.begin(), list.end(), [](const CountedRound& each) {
            return tellsNothing(*each.row);
        });
        if (!onlyEmpty)
            std::erase_if(list, [](const CountedRound& each) { return tellsNothing(*each.row); });
    }
    return rounds;
}

std::ptrdiff_t okRounds(const std::vector<CountedRound>& rounds)
{
    return std::count_if(rounds.begin(), rounds.end(),
                         [](const CountedRound& each) { return each.row->ok(); });
}

// The key of the largest count; among equals the first, so that it is the same for all cells.
std::string mostOf(const std::map<std::string, std::ptrdiff_t>& counts)
{
    const auto most =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts.end() ? std::string() : most->first;
}

}  // namespace

std::optional<bool> outputsRepeat(const std::vector<CountedRound>& rounds)
{
    std::optional<bool> repeat;
    std::unordered_map<int, std::string_view> hashes;
    for (const CountedRound& each : rounds) {
        if (!each.row->ok())
            continue;
        for (const PictureHash& output : each.row->evidence->outputs) {
            if (output.sha256.empty())
                continue;
            const auto [known, isFirst] = hashes.try_emplace(output.picture, output.sha256);
            if (!isFirst)
                repeat = repeat.value_or(true) && known->second == output.sha256;
        }
    }
    return repeat;
}

std::string outputsText(const std::vector<CountedRound>& rounds)
{
    const auto round = std::find_if(rounds.begin(), rounds.end(), [](const CountedRound& each) {
        return each.row->ok() && !each.row->evidence->outputs.empty();
    });
    std::string text;
    if (round == rounds.end())
        return text;
    for (const PictureHash& output : round->row->evidence->outputs) {
        if (output.sha256.empty())
            return {};
        text += std::to_string(output.picture) + ":" + output.sha256 + " ";
    }
    return text;
}

CountedRounds::CountedRounds(const Plan& plan, const RunFigures& figures)
    : m_cells(plan.cells.size())
{
    std::map<std::string, std::ptrdiff_t> okCounts;
    for (std::size_t i = 0; i < plan.cells.size(); ++i) {
        Rows rows;
        for (const RowFigures& row : figures.ofCell(plan.cells[i].id))
            rows.push_back(&row);
        m_cells[i] = roundsOf(rows);
        for (const auto& [environment, rounds] : m_cells[i])
            okCounts[environment] += okRounds(rounds);
    }
    m_mainEnvironment = mostOf(okCounts);
}

std::string CountedRounds::environmentOf(std::size_t cell) const
{
    const RoundsByEnvironment& all = m_cells[cell];
    std::map<std::string, std::ptrdiff_t> okCounts;
    for (const auto& [environment, rounds] : all)
        okCounts[environment] = okRounds(rounds);
    const auto main = okCounts.find(m_mainEnvironment);
    const std::string best = mostOf(okCounts);
    const bool bestIsOk = !best.empty() && okCounts.at(best) > 0;
    if (all.empty() || (main != okCounts.end() && (main->second > 0 || !bestIsOk)))
        return m_mainEnvironment;
    return best;
}

const std::vector<CountedRound>& CountedRounds::rounds(std::size_t cell,
                                                       const std::string& environment) const
{
    static const std::vector<CountedRound> kNone;
    const auto found = m_cells[cell].find(environment);
    return found == m_cells[cell].end() ? kNone : found->second;
}

std::optional<double> CountedRounds::meanSeconds(std::size_t cell,
                                                 const std::string& environment) const
{
    std::vector<double> seconds;
    for (const CountedRound& each : rounds(cell, environment)) {
        if (each.timed())
            seconds.push_back(each.seconds());
    }
    if (seconds.empty())
        return std::nullopt;
    return geometricMean(seconds);
}

}  // namespace qs::core
