#include "core/report/first_samples_section.h"

#include "core/base/format.h"

#include <string>

namespace qs::core {

namespace {

constexpr const char* kFirstSamplesMeaning =
    "The first sample of a process against those that count: what is cold in it (kernels that are "
    "chosen, memory that is taken, files that are read) is in no other figure. Cells whose first "
    "sample takes half as long again, or more. Compiling and the first call stand among the costs "
    "of compiling.";
// As many times the samples that count.
constexpr double kNotable = 1.5;
constexpr int kFirstSampleDigits = 3;

}  // namespace

TableSection firstSamplesSection(const Analysis& analysis)
{
    PlainTable table{{"Cell", "Batch", "First sample", "Later", "First / later"}, {}};
    for (const CellSummary& summary : analysis.cells) {
        if (!summary.firstSampleSeconds || summary.seconds <= 0.0)
            continue;
        const double times = *summary.firstSampleSeconds / summary.seconds;
        if (times >= kNotable)
            table.lines.push_back(
                {analysis.labels.of(*summary.cell), std::to_string(summary.cell->config.batch),
                 formatSeconds(*summary.firstSampleSeconds), formatSeconds(summary.seconds),
                 formatSignificant(times, kFirstSampleDigits)});
    }
    return {"first-samples", "First samples", kFirstSamplesMeaning, std::move(table)};
}

}  // namespace qs::core
