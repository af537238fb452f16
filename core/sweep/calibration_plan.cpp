#include "core/sweep/calibration_plan.h"

#include "core/base/sha256.h"
#include "core/lower/single_layer.h"
#include "core/model/calibration_samples.h"
#include "core/quant/calibration.h"

#include <cstddef>
#include <set>

namespace qs::core {

namespace {

// The stages that have a layer with a statistic.
std::set<std::size_t> calibratedStages(const std::vector<LayerRow>& rows)
{
    std::set<std::size_t> stages;
    for (const LayerRow& row : rows) {
        if (row.quantized() && row.scheme->statistic)
            stages.insert(row.stage);
    }
    return stages;
}

std::set<std::size_t> calibratedStages(const Model& model, const Recipe& recipe)
{
    // What files hold quantized needs no calibration.
    return model.quantized.empty() ? calibratedStages(layerTable(*model.family, recipe))
                                   : std::set<std::size_t>();
}

std::optional<Note> samplesObjection(const CellConfig& cell, const Model& model,
                                     const CalibrationSettings& settings, CalibrationSets& sets)
{
    if (settings.set == CalibrationSet::Generated)
        return {};
    const bool own = settings.set == CalibrationSet::Own;
    if (own && !sets.hasOwn(*model.family))
        return Note{model.family->workload().takesImages() ? NoteCode::NoCalibrationPictures
                                                           : NoteCode::NoCalibrationInputs};
    if (sets.hasOwnLengths(settings.set))
        return remark("samples that calibrate have one length: length=own does not fit");
    const auto& samples = sets.samples(settings.set, model, cell.sizes);
    // What is wrong with the inputs of the run is said of them.
    if (!samples.ok())
        return own ? std::optional(Note{NoteCode::CalibrationSetUnfit, {samples.error().message}})
                   : std::nullopt;
    if (samples.value().count >= settings.samples)
        return {};
    return Note{
        own ? NoteCode::TooFewCalibrationSamples : NoteCode::TooFewInputs,
        {static_cast<double>(settings.samples), static_cast<double>(samples.value().count)}};
}

// Of its samples, those that quality is judged on.
std::int64_t sharedOf(const CellConfig& cell, const Model& model,
                      const CalibrationSettings& settings, CalibrationSets& sets)
{
    if (settings.set != CalibrationSet::Own)
        return settings.set == CalibrationSet::Inputs ? settings.samples : 0;
    const auto& own = sets.samples(CalibrationSet::Own, model, cell.sizes);
    const auto& judged = sets.samples(CalibrationSet::Inputs, model, cell.sizes);
    if (!own.ok() || !judged.ok() || own.value().count < settings.samples)
        return 0;
    return sharedSamples(own.value(),
                         chosenSamples(own.value().count, settings.samples, settings.seed),
                         judged.value());
}

// Weights that a stage shares with one before it under the same scheme are taken from there.
bool isSolvedBefore(const ModelFamily& family, const Recipe& recipe, std::size_t stage)
{
    const auto owner = family.stages()[stage].sharedWith;
    return owner && recipe[*owner].scheme.text() == recipe[stage].scheme.text();
}

// Second moments in float64 cost three times what the layers themselves do.
double passesOf(const Scheme& scheme)
{
    if (!scheme->solver.empty())
        return 4.0;
    const bool counts = scheme->statistic == Statistic::Range &&
                        rangeRuleOf(scheme).method != RangeMethod::Extremes;
    return counts ? 2.0 : 1.0;
}

// Column after column of the weight, some operations each; then what is left of it after each block
// of columns, and the factor of the second moments.
double solvingSeconds(const LayerRow& row, const DeviceDescription& device)
{
    constexpr double kOperationsPerColumn = 10.0;
    const auto in = static_cast<double>(row.inFeatures);
    const auto out = static_cast<double>(row.outFeatures);
    const double flops = 2.0 * in * in * (in + out);
    return in * kOperationsPerColumn * kLaunchSeconds +
           flops / flopsPerSecond(device, DType::Float32, false);
}

}  // namespace

std::string calibrationContent(const Model& model, const Recipe& recipe, CalibrationSets& sets)
{
    std::set<std::string> contents;
    for (const std::size_t stage : calibratedStages(model, recipe)) {
        const CalibrationSet set = calibrationOf(recipe[stage].scheme).set;
        if (set == CalibrationSet::Generated)
            continue;
        if (const std::string content = sets.content(set, *model.family); !content.empty())
            contents.insert(std::string(name(set)) + " " + content);
    }
    std::string all;
    for (const std::string& content : contents)
        all += content + "\n";
    return all.empty() ? all : sha256Hex(all);
}

std::optional<Note> whyNotCalibrated(const CellConfig& cell, const Model& model,
                                     const Recipe& recipe, CalibrationSets& sets)
{
    for (const std::size_t stage : calibratedStages(model, recipe)) {
        const Scheme& scheme = recipe[stage].scheme;
        const CalibrationSettings settings = calibrationOf(scheme);
        if (auto reason = samplesObjection(cell, model, settings, sets))
            return reason;
        const std::int64_t passes =
            settings.samples * model.family->runsPerPass(stage, {1, cell.sizes});
        if (scheme->statistic == Statistic::RecentMaxima && scheme.whole("history") > passes)
            return Note{NoteCode::HistoryTooLong,
                        {static_cast<double>(scheme.whole("history")), static_cast<double>(passes),
                         model.family->stages()[stage].name}};
    }
    return {};
}

std::vector<Note> notesOnSamples(const CellConfig& cell, const Model& model, const Recipe& recipe,
                                 CalibrationSets& sets)
{
    std::vector<Note> notes;
    for (const std::size_t stage : calibratedStages(model, recipe)) {
        const CalibrationSettings settings = calibrationOf(recipe[stage].scheme);
        const std::int64_t shared = sharedOf(cell, model, settings, sets);
        if (shared > 0)
            addNote(notes, {NoteCode::CalibratedOnQualityInputs,
                            {static_cast<double>(shared), static_cast<double>(settings.samples)}});
    }
    return notes;
}

std::vector<Note> notesOnRows(const Model& model, const Recipe& recipe, const Program& program,
                              std::int64_t batch)
{
    std::set<std::string> modules;
    std::optional<Note> note;
    const std::size_t stages = model.quantized.empty() ? program.stages.size() : 0;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        if (isSolvedBefore(*model.family, recipe, stage))
            continue;
        const Graph& graph = program.stages[stage].graph;
        for (const MarkedLayer& layer : markedLayers(graph)) {
            if (layer.scheme->solver.empty())
                continue;
            const TensorType& input = graph.value(layer.input).type;
            const std::int64_t values = input.shape.back();
            const std::int64_t rows =
                input.elementCount() / values / batch * calibrationOf(layer.scheme).samples;
            const std::string& module = graph.nodes[layer.node].module;
            if (rows >= values || !modules.insert(module).second || note)
                continue;
            note = Note{NoteCode::FewCalibrationRows,
                        {0.0, module, static_cast<double>(rows), static_cast<double>(values)}};
        }
    }
    if (!note)
        return {};
    note->arguments.front() = static_cast<double>(modules.size());
    return {*note};
}

double calibrationSeconds(const ModelFamily& family, const Recipe& recipe,
                          const DeviceDescription& device, double sampleSeconds)
{
    const std::vector<LayerRow> rows = layerTable(family, recipe);
    double seconds = 0.0;
    for (const std::size_t stage : calibratedStages(rows)) {
        const Scheme& scheme = recipe[stage].scheme;
        seconds +=
            static_cast<double>(calibrationOf(scheme).samples) * passesOf(scheme) * sampleSeconds;
    }
    for (const LayerRow& row : rows) {
        if (row.quantized() && !row.scheme->solver.empty())
            seconds += solvingSeconds(row, device);
    }
    return seconds;
}

}  // namespace qs::core
