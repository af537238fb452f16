#include "core/engine/quantize/calibrator.h"

#include "core/base/sha256.h"
#include "core/engine/phase_timer.h"
#include "core/engine/quantize/stage_observation.h"
#include "core/engine/weights/quantize_weights.h"
#include "core/model/calibration_samples.h"

#include <nlohmann/json.hpp>
#include <torch/csrc/api/include/torch/version.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;

namespace {

// Of what calibration makes of the same samples; a change of the method is another one.
constexpr int kVersion = 2;

Result<std::string> hashOfSamples(std::int64_t count, const SampleSource& source)
{
    core::Sha256 hash;
    for (std::int64_t number = 0; number < count; ++number) {
        QS_TRY(const core::HostTensors sample, source(number));
        for (const auto& [name, tensor] : sample) {
            hash.update(name);
            std::visit([&](const auto& values) { hash.update(std::as_bytes(std::span(values))); },
                       tensor.values);
        }
    }
    return hash.hex();
}

// By the names of their weights, with the texts of their schemes.
std::map<std::string, std::string> calibratedLayers(const core::Program& program, std::size_t stage)
{
    std::map<std::string, std::string> layers;
    for (const core::LayerRow& row : program.layers) {
        if (row.stage == stage && row.quantized() && row.scheme->statistic)
            layers.emplace(row.weight, row.scheme.text());
    }
    return layers;
}

// Whether all that the stage needs is made for an earlier stage that it shares its weights with.
bool isMadeBefore(const core::ModelFamily& family, const core::Program& program, std::size_t stage)
{
    const auto owner = family.stages()[stage].sharedWith;
    if (!owner)
        return false;
    const auto there = calibratedLayers(program, *owner);
    const auto here = calibratedLayers(program, stage);
    return std::all_of(here.begin(), here.end(), [&](const auto& layer) {
        const auto found = there.find(layer.first);
        return found != there.end() && found->second == layer.second;
    });
}

// Of weights that a solver turned, the parts that an earlier stage has, or that calibration found.
void takeSolved(const core::Program& program, std::size_t stage, const NamedTensors& made,
                StageWeights& weights)
{
    for (const core::LayerRow& row : program.layers) {
        if (row.stage != stage || !row.quantized() || row.scheme->solver.empty())
            continue;
        for (const core::StoredPart& part :
             row.scheme->stored(row.scheme, row.outFeatures, row.inFeatures)) {
            const std::string name = core::storedName(row.weight, part);
            weights.tensors.insert_or_assign(name, made.at(name));
        }
        if (!program.stages[stage].keptWeights.contains(row.weight))
            weights.tensors.erase(row.weight);
    }
}

bool isLike(const NamedTensors& tensors, const std::string& name, const core::TensorType& type)
{
    const auto found = tensors.find(name);
    return found != tensors.end() && found->second.sizes().equals(type.shape) &&
           found->second.is_floating_point() == core::isFloating(type.dtype);
}

// Whether all is there that the weights of the stage are made from.
bool isComplete(const core::Program& program, std::size_t stage, const NamedTensors& found)
{
    return std::all_of(program.layers.begin(), program.layers.end(), [&](const auto& row) {
        if (row.stage != stage || !row.quantized() || !row.scheme->statistic)
            return true;
        if (row.scheme->solver.empty())
            return isLike(found, core::statisticName(row.weight),
                          core::statisticType(row.scheme, row.inFeatures));
        const auto parts = row.scheme->stored(row.scheme, row.outFeatures, row.inFeatures);
        return std::all_of(parts.begin(), parts.end(), [&](const core::StoredPart& part) {
            return isLike(found, core::storedName(row.weight, part), part.type);
        });
    });
}

// As many of these as are asked for: those of the run from the first on.
Result<SampleSource> givenSource(const GivenSamples& given,
                                 const core::CalibrationSettings& settings, const char* place,
                                 const char* kind)
{
    if (given.count < settings.samples)
        return Error{ErrorCode::InvalidArgument,
                     "calibration needs " + std::to_string(settings.samples) + " samples; " +
                         place + " " + std::to_string(given.count) + " " + kind};
    const std::int64_t seed = settings.set == core::CalibrationSet::Own ? settings.seed : 0;
    return SampleSource(
        [source = given.source, numbers = core::chosenSamples(given.count, settings.samples, seed)](
            std::int64_t number) { return source(numbers.at(static_cast<std::size_t>(number))); });
}

}  // namespace

std::vector<std::size_t> calibratedStages(const core::Program& program)
{
    std::vector<std::size_t> stages;
    for (std::size_t stage = 0; stage < program.stages.size(); ++stage) {
        if (!calibratedLayers(program, stage).empty())
            stages.push_back(stage);
    }
    return stages;
}

std::set<std::string> solvedWeights(const core::ModelFamily& family, const core::Program& program,
                                    std::size_t stage)
{
    const std::size_t owner = core::weightOwner(family, stage);
    std::map<std::string, std::set<std::size_t>> solved;  // stages
    std::size_t sharers = 0;
    for (std::size_t each = 0; each < program.stages.size(); ++each) {
        if (core::weightOwner(family, each) != owner)
            continue;
        ++sharers;
        for (const core::LayerRow& row : program.layers) {
            if (row.stage == each && row.quantized() && !row.scheme->solver.empty() &&
                !program.stages[each].keptWeights.contains(row.weight))
                solved[row.weight].insert(each);
        }
    }
    std::set<std::string> everywhere;
    for (const auto& [weight, stages] : solved) {
        if (stages.size() == sharers)
            everywhere.insert(weight);
    }
    return everywhere;
}

Result<SampleSource> Calibrator::sourceOf(const core::CalibrationSettings& settings)
{
    if (settings.set == core::CalibrationSet::Inputs)
        return givenSource(m_setup.inputs, settings, "the run has", "inputs");
    if (settings.set == core::CalibrationSet::Own)
        return givenSource(m_setup.own, settings, "its set has", "usable samples");
    return SampleSource([this, settings](std::int64_t number) {
        std::vector<const core::Graph*> graphs;
        for (const core::StageProgram& stage : m_program.stages)
            graphs.push_back(&stage.graph);
        return core::calibrationSample(*m_setup.model.family, graphs, m_setup.config.sizes,
                                       settings.seed, number);
    });
}

Status Calibrator::placeSamples(const core::Scheme& scheme, std::size_t stage,
                                const std::vector<StageWeights>& weights, const Progress& progress)
{
    const core::CalibrationSettings settings = core::calibrationOf(scheme);
    if (!m_run || settings != m_filled) {
        QS_TRY(const SampleSource source, sourceOf(settings));
        m_run.emplace(m_program, m_setup.description, m_setup.device);
        QS_RETURN_IF_ERROR(m_run->fill(settings.samples, source));
        m_filled = settings;
    }
    return m_run->advanceTo(stage, weights, progress);
}

Result<std::string> Calibrator::contentOf(std::size_t stage)
{
    core::Json schemes = core::Json::array();
    for (std::size_t i = 0; i <= stage; ++i)
        schemes.push_back(m_setup.recipe[i].scheme.text());
    core::Json sizes = core::Json::object();
    for (const core::NamedSize& size : m_setup.config.sizes)
        sizes[size.name] = size.value;
    // Samples reach the stage through the earlier ones, as those were quantized by their own
    // samples.
    core::Json inputs = core::Json::object();
    for (const std::size_t each : calibratedStages(m_program)) {
        const core::CalibrationSettings settings = core::calibrationOf(m_setup.recipe[each].scheme);
        if (each > stage || settings.set == core::CalibrationSet::Generated)
            continue;
        QS_TRY(const SampleSource source, sourceOf(settings));
        QS_TRY(inputs[m_program.stages[each].name], hashOfSamples(settings.samples, source));
    }
    return core::sha256Hex(core::canonicalText(core::Json{{"version", kVersion},
                                                          {"model", m_setup.model.contentId},
                                                          {"stage", m_program.stages[stage].name},
                                                          {"schemes", std::move(schemes)},
                                                          {"layers", m_setup.config.layers},
                                                          {"sizes", std::move(sizes)},
                                                          {"inputs", std::move(inputs)},
                                                          {"device", m_setup.description.name},
                                                          {"torch", TORCH_VERSION}}));
}

Result<StageFindings> Calibrator::makeFindings(std::size_t stage,
                                               const std::vector<StageWeights>& weights,
                                               const Progress& progress)
{
    const core::Scheme& scheme = m_setup.recipe[stage].scheme;
    const core::StageProgram& program = m_program.stages[stage];
    const double begin = secondsNow();
    QS_RETURN_IF_ERROR(placeSamples(scheme, stage, weights, progress));
    QS_TRY(StageFindings findings,
           scheme->solver.empty()
               ? observeStage(program, weights[stage], *m_run, m_setup.device, progress)
               : solveStage(program, weights[stage], m_setup.description, *m_run, m_setup.device,
                            m_setup.rounders, progress));
    findings.seconds = secondsNow() - begin;
    return findings;
}

Status Calibrator::runStage(std::size_t stage, std::vector<StageWeights>& weights,
                            const Progress& progress)
{
    const core::ModelFamily& family = *m_setup.model.family;
    const std::size_t owner = core::weightOwner(family, stage);
    if (isMadeBefore(family, m_program, stage)) {
        takeSolved(m_program, stage, weights.at(owner).tensors, weights[stage]);
        return {};
    }
    const core::Scheme& scheme = m_setup.recipe[stage].scheme;
    const core::CalibrationSettings settings = core::calibrationOf(scheme);
    QS_TRY(const std::string content, contentOf(stage));
    core::StageCalibration made{.stage = m_program.stages[stage].name,
                                .content = content,
                                .set = std::string(core::name(settings.set)),
                                .samples = settings.samples,
                                .seed = settings.seed};
    std::optional<StageFindings> findings = m_setup.cache.find(content, m_setup.device);
    // An entry may come from elsewhere.
    made.fromCache = findings && isComplete(m_program, stage, findings->tensors);
    if (!made.fromCache) {
        QS_TRY(findings, makeFindings(stage, weights, progress));
        m_setup.cache.add(content, *findings, {m_setup.config.model, scheme.text(), made});
    }
    made.seconds = findings->seconds;
    made.layers = findings->layers;
    m_made.push_back(std::move(made));
    if (!scheme->solver.empty()) {
        takeSolved(m_program, stage, findings->tensors, weights[stage]);
        return {};
    }
    for (const auto& [name, tensor] : findings->tensors)
        weights[stage].tensors.insert_or_assign(name, tensor);
    return {};
}

Result<std::size_t> Calibrator::run(std::vector<StageWeights>& weights, const Progress& progress)
{
    QS_TRY(m_program,
           core::lower(*m_setup.model.family, {m_setup.recipe, {1, m_setup.config.sizes}, {}}));
    const std::vector<std::size_t> needed = calibratedStages(m_program);
    const std::size_t count = needed.empty() ? 0 : needed.back() + 1;
    for (std::size_t stage = 0; stage < count; ++stage) {
        const auto partly = [&](double fraction) {
            return progress((static_cast<double>(stage) + fraction) / static_cast<double>(count));
        };
        if (std::find(needed.begin(), needed.end(), stage) != needed.end())
            QS_RETURN_IF_ERROR(runStage(stage, weights, partly));
        const std::size_t owner = core::weightOwner(*m_setup.model.family, stage);
        const QuantizedStage shared{m_program.stages[owner], weights[owner]};
        QS_RETURN_IF_ERROR(quantizeWeights(weights[stage], m_program.stages[stage], m_setup.device,
                                           partly, owner == stage ? nullptr : &shared));
    }
    m_run.reset();
    return count;
}

std::vector<core::Note> calibrationNotes(const std::vector<core::StageCalibration>& made)
{
    std::map<std::tuple<std::int64_t, std::string, bool>, double> seconds;
    double rounded = 0.0;
    std::string first;
    std::int64_t onInputs = 0;
    for (const core::StageCalibration& stage : made) {
        seconds[{stage.samples, stage.set, stage.fromCache}] += stage.seconds;
        if (stage.set == core::name(core::CalibrationSet::Inputs))
            onInputs = std::max(onInputs, stage.samples);
        for (const core::SolvedLayer& layer : stage.layers) {
            if (!layer.roundedToNearest)
                continue;
            rounded += 1.0;
            first = first.empty() ? layer.module : first;
        }
    }
    std::vector<core::Note> notes;
    for (const auto& [key, time] : seconds) {
        const auto& [samples, set, fromCache] = key;
        notes.push_back(
            {fromCache ? core::NoteCode::CalibrationFromCache : core::NoteCode::Calibrated,
             {static_cast<double>(samples), set, time}});
    }
    if (onInputs > 0)
        notes.push_back({core::NoteCode::CalibratedOnQualityInputs,
                         {static_cast<double>(onInputs), static_cast<double>(onInputs)}});
    if (rounded > 0.0)
        notes.push_back({core::NoteCode::SolverFellBack, {rounded, first}});
    return notes;
}

}  // namespace qs::engine
