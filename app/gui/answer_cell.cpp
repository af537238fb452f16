#include "app/gui/answer_cell.h"

#include "core/quant/scheme.h"
#include "widgets/compare/saved_images.h"
#include "widgets/compare/value_texts.h"

#include <algorithm>

namespace qs::app {

namespace {

constexpr std::size_t kMostCandidates = 100;  // whose files are looked for, while a window waits
constexpr int kFirstImages = 16;

bool isQuantized(const core::PlannedCell& cell)
{
    return std::any_of(cell.config.precision.begin(), cell.config.precision.end(),
                       [](const std::string& name) {
                           const core::Result<core::Scheme> scheme = core::parseScheme(name);
                           return scheme.ok() && core::quantizesWeights(scheme.value());
                       });
}

}  // namespace

std::string cellToShowFirst(const core::RunData& data, const core::Analysis& analysis,
                            const core::RunAnswer& answer)
{
    if (answer.best() == nullptr)
        return {};
    const core::CellSummary& best = *analysis.find(answer.best()->cellId);
    const bool images = best.cell->output == core::OutputKind::Image;
    // Three times over the candidates, the best of them first: what one came for, whatever has
    // outputs at all, and else the answer itself.
    for (const bool quantized : {true, false}) {
        std::size_t looked = 0;
        for (const core::AnswerCandidate& candidate : answer.candidates) {
            const core::CellSummary* summary = analysis.find(candidate.cellId);
            if (!candidate.value || summary->cell->referenceId == candidate.cellId ||
                (quantized && !isQuantized(*summary->cell)))
                continue;
            if (looked++ == kMostCandidates)
                break;
            // A folder may have been passed on with a few images, not with the first one.
            const int picture = pictureToShowFirst(data, analysis, candidate.cellId);
            if (images ? widgets::isSaved(data, analysis, candidate.cellId, picture)
                       : summary->quality.has_value())
                return candidate.cellId;
        }
    }
    return best.cellId;
}

int pictureToShowFirst(const core::RunData& data, const core::Analysis& analysis,
                       const std::string& cellId)
{
    const core::CellSummary* summary = analysis.find(cellId);
    if (summary == nullptr || !summary->quality)
        return 0;
    std::vector<int> order{summary->quality->worstSample};
    if (summary->cell->output == core::OutputKind::Image) {
        for (int picture = 0; picture < kFirstImages; ++picture)
            order.push_back(picture);
    } else {
        // As their list has them: where all agree on the likeliest class, finer distances decide.
        order.clear();
        for (const auto& each :
             widgets::samplesWorstFirst(data, *summary->cell, summary->environmentId, 0))
            order.push_back(each.sample);
        order.resize(std::min<std::size_t>(order.size(), kFirstImages));
    }
    const auto saved = std::find_if(order.begin(), order.end(), [&](int picture) {
        return widgets::isSaved(data, analysis, cellId, picture);
    });
    if (saved != order.end())
        return *saved;
    return order.empty() ? summary->quality->worstSample : order.front();
}

}  // namespace qs::app
