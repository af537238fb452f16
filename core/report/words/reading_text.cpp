#include "core/report/words/reading_text.h"

#include "core/base/text_parts.h"

#include <algorithm>
#include <cstdint>

namespace qs::core {

namespace {

constexpr const char* kAboutImages =
    " SSIM: Wang 2004, Gaussian 11 × 11, σ 1.5, valid, mean RGB, against the bf16 eager cell of "
    "the "
    "same shape. PSNR is the mean over images that differ, with their number if some are "
    "identical.";

bool makesImages(const Analysis& analysis)
{
    return std::any_of(analysis.cells.begin(), analysis.cells.end(), [](const auto& summary) {
        return summary.cell->output == OutputKind::Image;
    });
}

}  // namespace

std::string countsText(const Analysis& analysis)
{
    const auto measured =
        std::count_if(analysis.cells.begin(), analysis.cells.end(),
                      [](const CellSummary& summary) { return summary.measured; });
    int rounds = 0;
    for (const CellSummary& summary : analysis.cells)
        rounds = std::max(rounds, summary.roundsPlanned);
    std::string text = std::to_string(measured) + " of " + std::to_string(analysis.cells.size()) +
                       " cells measured, up to " +
                       counted(static_cast<std::uint64_t>(rounds), "repeat") + " each, " +
                       counted(analysis.rows.count, "row");
    if (analysis.rows.count > 0)
        text +=
            ", begun from " + analysis.rows.firstStartedAt + " to " + analysis.rows.lastStartedAt;
    return text + ".";
}

std::string explanationText(const Analysis& analysis)
{
    return std::string(
               "Times are geometric means over repeats of the medians of a repeat, so that the "
               "quotient of two cells is their speed-up where both have the same repeats; brackets "
               "hold 95 % intervals over repeats and are absent below three of them. Speed-ups are "
               "geometric means of paired repeats; their intervals use what all comparisons of the "
               "run tell of the variance. Faster and slower are differences beyond 0.5 % with a "
               "p-value below 0.75 %, Holm-corrected over all comparisons of the run; same are "
               "intervals within 1 %; the rest is undecided.") +
           (makesImages(analysis) ? kAboutImages : "");
}

}  // namespace qs::core
