#include "core/run/output_comparison.h"

#include "core/analysis/noise_floors.h"
#include "core/base/stop.h"
#include "core/model/image_inputs.h"
#include "core/record/run_folder.h"
#include "core/run/each_output.h"
#include "core/run/output_metrics.h"
#include "core/run/stored_texts.h"
#include "core/stats/nearest_neighbours.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace qs::core {

namespace {

OutputQuality rightness(int sample, bool right)
{
    OutputQuality quality;
    quality.sample = sample;
    quality.set(kRightFigure, right ? 1.0 : 0.0);
    return quality;
}

}  // namespace

OutputComparison::OutputComparison(std::filesystem::path runFolder, const RunData& data)
    : m_runFolder(std::move(runFolder)),
      m_plan(data.plan),
      m_qualities(data.qualities),
      m_outputs(data.measurements),
      m_uncompiled(data.plan)
{
    for (const OutputQuality& quality : data.qualities)
        m_compared.insert(
            {quality.cellId, quality.referenceId, quality.environmentId, quality.sample});
}

OutputComparison::Outcome OutputComparison::compare(const PlannedCell& cell,
                                                    const std::string& environmentId,
                                                    const std::stop_token& stop)
{
    Outcome outcome;
    if (m_outputs.pictures(cell.id, environmentId) == 0)
        return outcome;
    // An image that was made of an image is a reconstruction.
    if (cell.trained && cell.output == OutputKind::Image)
        compareWithInput(cell, environmentId, stop, outcome);
    if (cell.trained &&
        (cell.output == OutputKind::Classes || cell.output == OutputKind::Embedding))
        compareWithLabels(cell, environmentId, stop, outcome);
    if (cell.trained && cell.output == OutputKind::Logits)
        compareWithText(cell, environmentId, stop, outcome);
    compareWithCell(cell, cell.referenceId, environmentId, "reference", stop, outcome);
    compareWithGolden(cell, environmentId, stop, outcome);
    compareWithUncompiled(cell, environmentId, stop, outcome);
    return outcome;
}

void OutputComparison::compareWithInput(const PlannedCell& cell, const std::string& environmentId,
                                        const std::stop_token& stop, Outcome& outcome)
{
    const Pair pair{cell.id, kInputId, environmentId};
    const int samples = m_outputs.pictures(cell.id, environmentId);
    if (compared(pair, samples))
        return;
    const auto input = [&](int sample) -> Result<FloatArray> {
        QS_TRY(FloatArray array,
               readNpyEntries(inputArray(m_runFolder, cell.config.imageSize()), sample, 1));
        array.shape.erase(array.shape.begin());
        return middlePart(std::move(array), middlePartOf(cell.config.sizes));
    };
    add(compareWith(cell, environmentId, samples, input, stop), pair, "input", outcome);
}

void OutputComparison::compareWithLabels(const PlannedCell& cell, const std::string& environmentId,
                                         const std::stop_token& stop, Outcome& outcome)
{
    auto labels = readPictureLabels(m_runFolder);
    if (labels.ok() && !labels.value())
        return;
    const Pair pair{cell.id, kLabelId, environmentId};
    const int pictures = m_outputs.pictures(cell.id, environmentId);
    if (!labels.ok()) {
        add(labels.error(), pair, "labels", outcome);
        return;
    }
    const int samples = std::min(pictures, static_cast<int>(labels.value()->labels.size()));
    if (compared(pair, samples))
        return;
    add(cell.output == OutputKind::Classes
            ? rightClasses(cell, environmentId, samples, *labels.value(), stop)
            : rightNeighbours(cell, environmentId, samples, *labels.value(), stop),
        pair, "labels", outcome);
}

Result<std::vector<OutputQuality>> OutputComparison::rightClasses(const PlannedCell& cell,
                                                                  const std::string& environmentId,
                                                                  int samples,
                                                                  const PictureLabels& labels,
                                                                  const std::stop_token& stop) const
{
    std::vector<OutputQuality> qualities;
    for (int i = 0; i < samples; ++i) {
        QS_RETURN_IF_ERROR(checkNotStopped(stop));
        QS_TRY(const FloatArray scores,
               readNpy(outputArray(m_runFolder, place(cell.id, environmentId), i)));
        QS_RETURN_IF_ERROR(checkClasses(labels.classes, scores.values.size()));
        const auto best = std::max_element(scores.values.begin(), scores.values.end());
        const bool right =
            best - scores.values.begin() == labels.labels[static_cast<std::size_t>(i)];
        qualities.push_back(rightness(i, right));
    }
    return qualities;
}

// Embeddings are rows, one for each token: what is compared is their mean.
Result<std::vector<OutputQuality>>
OutputComparison::rightNeighbours(const PlannedCell& cell, const std::string& environmentId,
                                  int samples, const PictureLabels& labels,
                                  const std::stop_token& stop) const
{
    std::vector<std::vector<float>> vectors;
    for (int i = 0; i < samples; ++i) {
        QS_RETURN_IF_ERROR(checkNotStopped(stop));
        QS_TRY(const FloatArray output,
               readNpy(outputArray(m_runFolder, place(cell.id, environmentId), i)));
        if (output.shape.empty() || output.shape.back() < 1 || output.values.empty())
            return Error{ErrorCode::InvalidArgument, "an output has no values"};
        vectors.push_back(meanRow(output.values, static_cast<std::size_t>(output.shape.back())));
        if (vectors.back().size() != vectors.front().size())
            return Error{ErrorCode::InvalidArgument, "the outputs have different widths"};
    }
    if (vectors.size() < 2)
        return std::vector<OutputQuality>();  // there is no neighbour
    const auto used = std::span(labels.labels).first(vectors.size());
    const std::vector<bool> right = neighboursAgree(vectors, used);
    std::vector<OutputQuality> qualities;
    for (int i = 0; i < samples; ++i)
        qualities.push_back(rightness(i, right[static_cast<std::size_t>(i)]));
    return qualities;
}

// Of what only reads: how well each place foretells the next token of the text.
void OutputComparison::compareWithText(const PlannedCell& cell, const std::string& environmentId,
                                       const std::stop_token& stop, Outcome& outcome)
{
    const Pair pair{cell.id, kTextId, environmentId};
    const int samples = m_outputs.pictures(cell.id, environmentId);
    const StoredTexts texts(m_runFolder, m_plan.preset.feeding);
    const std::string folder = place(cell.id, environmentId);
    if (compared(pair, samples) || !texts.generated(folder, 0).empty())
        return;
    const auto losses = [&]() -> Result<std::vector<OutputQuality>> {
        std::vector<OutputQuality> qualities;
        for (int i = 0; i < samples; ++i) {
            QS_RETURN_IF_ERROR(checkNotStopped(stop));
            QS_TRY(const FloatArray scores, readNpy(outputArray(m_runFolder, folder, i)));
            QS_TRY(const auto loss, texts.loss(scores, folder, i));
            if (!loss)
                continue;
            OutputQuality quality;
            quality.sample = i;
            quality.set(kLossFigure, *loss);
            qualities.push_back(std::move(quality));
        }
        return qualities;
    };
    add(losses(), pair, "text", outcome);
}

void OutputComparison::compareWithCell(const PlannedCell& cell, const std::string& referenceId,
                                       const std::string& environmentId, const std::string& name,
                                       const std::stop_token& stop, Outcome& outcome)
{
    const Pair pair{cell.id, referenceId, environmentId};
    const int samples = std::min(m_outputs.pictures(cell.id, environmentId),
                                 m_outputs.pictures(referenceId, environmentId));
    if (cell.id == referenceId || samples == 0 || compared(pair, samples))
        return;
    const std::string folder = place(referenceId, environmentId);
    const auto output = [&](int sample) {
        return readNpy(outputArray(m_runFolder, folder, sample));
    };
    auto qualities = cell.output == OutputKind::Logits
                         ? compareTexts(cell, environmentId, samples, folder, stop)
                         : compareWith(cell, environmentId, samples, output, stop);
    add(std::move(qualities), pair, name, outcome);
}

Result<std::vector<OutputQuality>> OutputComparison::compareWith(const PlannedCell& cell,
                                                                 const std::string& environmentId,
                                                                 int samples,
                                                                 const ReadReference& reference,
                                                                 const std::stop_token& stop) const
{
    const std::string folder = place(cell.id, environmentId);
    std::vector<OutputQuality> qualities(static_cast<std::size_t>(samples));
    const auto compareOne = [&](int i) -> Status {
        QS_TRY(const FloatArray output, readNpy(outputArray(m_runFolder, folder, i)));
        QS_TRY(const FloatArray original, reference(i));
        QS_TRY(qualities[static_cast<std::size_t>(i)],
               compareOutputs(cell.output, output, original, i, stop));
        return {};
    };
    QS_RETURN_IF_ERROR(forEachOutput(m_runFolder, folder, samples, compareOne, stop));
    return qualities;
}

Result<std::vector<OutputQuality>>
OutputComparison::compareTexts(const PlannedCell& cell, const std::string& environmentId,
                               int samples, const std::string& referenceFolder,
                               const std::stop_token& stop) const
{
    const StoredTexts texts(m_runFolder, m_plan.preset.feeding);
    const std::string folder = place(cell.id, environmentId);
    std::vector<OutputQuality> qualities;
    for (int i = 0; i < samples; ++i) {
        QS_RETURN_IF_ERROR(checkNotStopped(stop));
        QS_TRY(const ComparableOutputs both, texts.comparable(folder, referenceFolder, i));
        QS_TRY(OutputQuality quality,
               compareOutputs(cell.output, both.output, both.original, i, stop));
        if (both.agreement)
            texts.tell(*both.agreement, folder, i, quality);
        qualities.push_back(std::move(quality));
    }
    return qualities;
}

void OutputComparison::compareWithUncompiled(const PlannedCell& cell,
                                             const std::string& environmentId,
                                             const std::stop_token& stop, Outcome& outcome)
{
    const StoredTexts texts(m_runFolder, m_plan.preset.feeding);
    for (const UncompiledPair& each : m_uncompiled.pairsOf(cell)) {
        const Pair pair{each.compiled->id, kUncompiledId, environmentId};
        const int samples = std::min(m_outputs.pictures(each.compiled->id, environmentId),
                                     m_outputs.pictures(each.eager->id, environmentId));
        if (samples > 0 && !compared(pair, samples))
            add(outputDifferences(texts, place(each.compiled->id, environmentId),
                                  place(each.eager->id, environmentId), samples, stop),
                pair, "same cell uncompiled", outcome);
    }
}

void OutputComparison::compareWithGolden(const PlannedCell& cell, const std::string& environmentId,
                                         const std::stop_token& stop, Outcome& outcome)
{
    const Family& family = familyOf(cell.referenceId);
    if (!family.golden)
        return;
    const PlannedCell& golden = m_plan.cells[*family.golden];
    const std::string name = "fp32 run";
    if (golden.id != cell.id) {
        compareWithCell(cell, golden.id, environmentId, name, stop, outcome);
        return;
    }
    for (const std::size_t other : family.cells)
        compareWithCell(m_plan.cells[other], cell.id, environmentId, name, stop, outcome);
}

std::optional<double> OutputComparison::bf16FromFp32(const PlannedCell& cell,
                                                     const std::string& environmentId)
{
    const Family& family = familyOf(cell.referenceId);
    if (!family.golden)
        return std::nullopt;
    const std::string& goldenId = m_plan.cells[*family.golden].id;
    double sum = 0.0;
    int count = 0;
    for (const OutputQuality& quality : m_qualities) {
        if (quality.cellId != cell.referenceId || quality.referenceId != goldenId ||
            quality.environmentId != environmentId)
            continue;
        if (const auto distance = quality.find("relative_l2")) {
            sum += *distance;
            ++count;
        }
    }
    return sum > 0.0 ? std::optional(sum / count) : std::nullopt;
}

const OutputComparison::Family& OutputComparison::familyOf(const std::string& referenceId)
{
    for (; m_known < m_plan.cells.size(); ++m_known) {
        const PlannedCell& cell = m_plan.cells[m_known];
        Family& family = m_families[cell.referenceId];
        family.cells.push_back(m_known);
        if (!family.golden && isGoldenRun(cell))
            family.golden = m_known;
    }
    return m_families[referenceId];
}

std::vector<const PlannedCell*> OutputComparison::cellsOf(const std::string& referenceId)
{
    std::vector<const PlannedCell*> cells;
    for (const std::size_t each : familyOf(referenceId).cells)
        cells.push_back(&m_plan.cells[each]);
    return cells;
}

bool OutputComparison::compared(const Pair& pair, int samples) const
{
    for (int sample = 0; sample < samples; ++sample) {
        if (!m_compared.contains({pair.cellId, pair.referenceId, pair.environmentId, sample}))
            return false;
    }
    return true;
}

void OutputComparison::add(Result<std::vector<OutputQuality>> qualities, const Pair& pair,
                           const std::string& with, Outcome& outcome)
{
    if (!qualities.ok() && qualities.error().code == ErrorCode::Cancelled)
        return;
    if (!qualities.ok()) {
        outcome.problems.push_back(
            {NoteCode::OutputsNotCompared, {pair.cellId, with, qualities.error().message}});
        return;
    }
    for (OutputQuality& quality : qualities.value()) {
        quality.cellId = pair.cellId;
        quality.referenceId = pair.referenceId;
        quality.environmentId = pair.environmentId;
        // The journal refuses what nobody could read back, and the run would end with it.
        if (const auto back = outputQualitiesFromJson(toJson({&quality, 1})); !back.ok()) {
            outcome.problems.push_back(
                {NoteCode::ComparisonNotStored, {pair.cellId, with, back.error().message}});
            continue;
        }
        if (!m_compared.insert({pair.cellId, pair.referenceId, pair.environmentId, quality.sample})
                 .second)
            continue;
        outcome.qualities.push_back(std::move(quality));
    }
}

std::string OutputComparison::place(const std::string& cellId,
                                    const std::string& environmentId) const
{
    return outputPlace(cellId, m_outputs.subfolder(cellId, environmentId));
}

}  // namespace qs::core
