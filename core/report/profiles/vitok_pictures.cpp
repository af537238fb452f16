#include "core/report/profiles/vitok_pictures.h"

#include "core/base/parallel.h"
#include "core/image/ssim.h"
#include "core/model/image_inputs.h"
#include "core/record/run_folder.h"
#include "core/report/profiles/profile_cells.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace qs::core {

namespace {

constexpr double kRange = 2.0;  // from -1 to 1

struct Pair {
    FloatArray output;
    FloatArray other;
};
// Picture `number` of a cell and what it is held against.
using PairReader = std::function<Result<Pair>(int number)>;

Result<PictureFigures> figuresOf(int pictures, const PairReader& read)
{
    PictureFigures figures;
    figures.pictures = pictures;
    double similarity = 0.0;
    double squares = 0.0;
    double largest = 0.0;
    double values = 0.0;
    for (int number = 0; number < pictures; ++number) {
        QS_TRY(const Pair pair, read(number));
        QS_TRY(const Picture output, pictureFromPlanar(pair.output));
        QS_TRY(const Picture other, pictureFromPlanar(pair.other));
        QS_TRY(const double alike, torchmetricsSsim(output, other));
        similarity += alike;
        for (std::size_t i = 0; i < output.values.size(); ++i) {
            const double difference = double{output.values[i]} - double{other.values[i]};
            squares += difference * difference;
            largest = std::max(largest, std::abs(difference));
        }
        values += static_cast<double>(output.values.size());
    }
    figures.ssim = similarity / pictures;
    figures.psnr = 10.0 * std::log10(kRange * kRange * values / squares);
    figures.maximumDifference = largest;
    return figures;
}

PictureFigures without(std::string reason)
{
    PictureFigures figures;
    figures.reason = std::move(reason);
    return figures;
}

PictureFigures figuresOr(const Result<PictureFigures>& figures)
{
    if (figures.ok())
        return figures.value();
    return without(figures.error().code == ErrorCode::NotFound
                       ? "an array of its images is not in the run folder"
                       : figures.error().message);
}

// Why a cell has no figures whatever it is held against; empty: it may have.
std::string whyNoPictures(const Analysis& analysis, const CellSummary& cell)
{
    if (cell.cell->output != OutputKind::Image)
        return "its outputs are no images";
    if (storedOutputs(analysis, cell) > 0)
        return {};
    return cell.measured ? "the run keeps no outputs of it" : whyNoFigures(cell);
}

// `figures` of each cell that was measured and gives images, several at the same time.
PictureFiguresById eachCell(const Analysis& analysis,
                            const std::function<PictureFigures(const CellSummary&)>& figures)
{
    const std::vector<const CellSummary*> cells = profiledCells(analysis);
    std::vector<PictureFigures> found(cells.size());
    inParallel(cells.size(), [&](std::size_t i) {
        std::string why = whyNoPictures(analysis, *cells[i]);
        found[i] = why.empty() ? figures(*cells[i]) : without(std::move(why));
    });
    PictureFiguresById byId;
    for (std::size_t i = 0; i < cells.size(); ++i)
        byId.emplace(cells[i]->cellId, std::move(found[i]));
    return byId;
}

FloatArray clampedArray(FloatArray array)
{
    for (float& value : array.values)
        value = std::clamp(value, -1.0F, 1.0F);
    return array;
}

}  // namespace

PictureFigures picturesAgainstReference(const RunData& data, const Analysis& analysis,
                                        const CellSummary& cell, int most)
{
    if (std::string why = whyNoPictures(analysis, cell); !why.empty())
        return without(std::move(why));
    const CellSummary* reference = analysis.find(cell.cell->referenceId);
    if (reference == nullptr)
        return without("the run has no bf16 reference for it");
    if (reference->environmentId != cell.environmentId)
        return without("its reference was measured in another environment");
    const int both =
        std::min({most, storedOutputs(analysis, cell), storedOutputs(analysis, *reference)});
    if (both == 0)
        return without("the run keeps no outputs of its reference");
    return figuresOr(figuresOf(both, [&](int number) -> Result<Pair> {
        Pair pair;
        QS_TRY(pair.output, storedOutput(data, analysis, cell, number));
        QS_TRY(pair.other, storedOutput(data, analysis, *reference, number));
        return pair;
    }));
}

PictureFiguresById picturesAgainstReference(const RunData& data, const Analysis& analysis, int most)
{
    return eachCell(analysis, [&](const CellSummary& cell) {
        return picturesAgainstReference(data, analysis, cell, most);
    });
}

PictureFiguresById picturesAgainstInput(const RunData& data, const Analysis& analysis)
{
    return eachCell(analysis, [&](const CellSummary& cell) {
        if (!cell.cell->trained)
            return without("generated weights: the outputs are no reconstructions");
        const FilePlace inputs = inputArray(data.folder, cell.cell->config.imageSize());
        return figuresOr(figuresOf(storedOutputs(analysis, cell), [&](int number) -> Result<Pair> {
            Pair pair;
            QS_TRY(pair.output, storedOutput(data, analysis, cell, number));
            auto input = readNpyEntries(inputs, number, 1);
            if (!input.ok())
                return withoutPlace(input.error(), "the inputs");
            pair.other =
                middlePart(std::move(input).value(), middlePartOf(cell.cell->config.sizes));
            return Pair{clampedArray(std::move(pair.output)), clampedArray(std::move(pair.other))};
        }));
    });
}

}  // namespace qs::core
