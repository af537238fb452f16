#include "tests/support/large_run.h"

#include "core/record/journal/journal_line.h"
#include "core/record/run_folder.h"
#include "core/record/run_records.h"
#include "tests/support/sample_run.h"

#include <fstream>

namespace qs::tests {

core::RunData runOfRows(std::size_t rows)
{
    const std::size_t each = sampleRun({.rounds = 1}).measurements.size();
    core::RunData data = sampleRun({.rounds = static_cast<int>((rows + each - 1) / each)});
    data.plan.preset.rounds = 1000;  // the most that a preset may ask for
    return data;
}

core::RunData runOfCells(std::size_t cells)
{
    const core::RunData one = sampleRun({.rounds = 2});
    core::RunData many = sampleRun({.rounds = 0});
    many.plan = one.plan;
    many.plan.cells.clear();
    for (std::int64_t seed = 1; many.plan.cells.size() < cells; ++seed) {
        const std::string suffix = "-s" + std::to_string(seed);
        for (core::PlannedCell cell : one.plan.cells) {
            cell.id += suffix;
            cell.referenceId += suffix;
            cell.config.seed = seed;
            many.plan.cells.push_back(std::move(cell));
        }
        for (core::Measurement row : one.measurements) {
            row.cellId += suffix;
            row.config.seed = seed;
            many.measurements.push_back(std::move(row));
        }
        for (core::OutputQuality quality : one.qualities) {
            quality.cellId += suffix;
            if (quality.referenceId != core::kInputId)
                quality.referenceId += suffix;
            many.qualities.push_back(std::move(quality));
        }
    }
    return many;
}

bool storeQuickly(const std::filesystem::path& folder, const core::RunData& data)
{
    if (!core::RunFolder::create(folder, data.plan, data.environments.front()).ok())
        return false;
    std::ofstream journal(folder / "journal.jsonl", std::ios::app | std::ios::binary);
    for (const core::Measurement& row : data.measurements)
        journal << core::encodeJournalLine(core::rowRecord(row)).value();
    for (const core::OutputQuality& quality : data.qualities)
        journal << core::encodeJournalLine(core::qualityRecord({&quality, 1})).value();
    journal.flush();
    return journal.good();
}

}  // namespace qs::tests
