#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/text_parts.h"
#include "core/quant/calibration.h"
#include "core/record/picture_labels.h"
#include "core/record/run_folder.h"
#include "core/run/calibration_files.h"
#include "core/run/describe_engine.h"
#include "core/run/fed_files.h"
#include "core/run/image_quality.h"
#include "core/run/input_set.h"
#include "core/run/run_loop.h"
#include "core/sweep/plan_needs.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>

// What happens before the first cell: the folder is opened, inputs are made, and what an earlier
// session left is taken up.
namespace qs::core {

namespace {

constexpr double kEngineTimeoutSeconds = 60.0;
constexpr double kLeftOutNamed = 5.0;  // files that the warning names; the log has all

// Of images: how many there are is known when they have been read.
Status checkImageLabels(const std::filesystem::path& folder, const RunData& data)
{
    const std::string& file = data.plan.preset.feeding.labels;
    const auto isLabelled = [](const PlannedCell& cell) {
        return cell.config.imageSize() > 0 && cell.possible() &&
               (cell.output == OutputKind::Classes || cell.output == OutputKind::Embedding);
    };
    const auto& cells = data.plan.cells;
    if (file.empty() || std::none_of(cells.begin(), cells.end(), isLabelled))
        return {};
    QS_TRY(const std::optional<PictureLabels> labels, readPictureLabels(folder));
    if (!labels || labels->labels.size() == data.pictureNames.size())
        return {};
    return Error{ErrorCode::InvalidArgument,
                 file + " has " + counted(labels->labels.size(), "label") + ", and there are " +
                     counted(data.pictureNames.size(), "image") +
                     ": expected a line for each, in the order of their names"};
}

}  // namespace

Status RunLoop::open()
{
    report(Phase::Start, 0.0);
    QS_TRY(const EngineDescription engine,
           describeEngine(m_options.workerProgram, kEngineTimeoutSeconds, m_requests.ending()));
    const Environment environment = describeEnvironment(engine, engine.devices);
    m_environmentId = environment.id();
    m_devices = environment.devices;
    m_compiler = environment.compiler;
    if (m_options.resume) {
        QS_TRY(RunFolder folder,
               RunFolder::resume(m_options.folder, environment, m_data, m_requests.ending()));
        QS_RETURN_IF_ERROR(checkPaths(folder.path()));
        QS_RETURN_IF_ERROR(checkPrograms(m_data.plan));
        m_recorder.emplace(std::move(folder), m_data, m_observer);
    } else {
        QS_RETURN_IF_ERROR(checkPrograms(m_data.plan));
        QS_RETURN_IF_ERROR(checkRoom(needsOf(m_data.plan), roomAt(m_options.folder)));
        QS_TRY(RunFolder folder, RunFolder::create(m_options.folder, m_data.plan, environment));
        m_recorder.emplace(std::move(folder), m_data, m_observer);
        m_data.folder = this->folder();
        m_data.environments = {environment};
    }
    agreeToPathsOf(m_data.plan);
    m_comparison.emplace(folder(), m_data);
    if (!m_appended.cells.empty())
        QS_RETURN_IF_ERROR(append(m_appended));
    else if (m_options.resume)
        QS_RETURN_IF_ERROR(checkItFits(m_data.plan));
    QS_RETURN_IF_ERROR(event(m_options.resume ? EventKind::Resumed : EventKind::Started));
    QS_RETURN_IF_ERROR(prepareAllInputs());
    return m_requests.stopping() ? Status() : warnOfUnquietProcessor();
}

// The plan of a run that goes on may come from somebody else.
Status RunLoop::checkPaths(const std::filesystem::path& folder) const
{
    if (!m_options.trust)
        return {};
    std::string text;
    for (const std::string& path : m_options.trust->unknown(folder, outsidePaths(m_data.plan))) {
        const auto& agreed = m_options.agreedPaths;
        if (std::find(agreed.begin(), agreed.end(), path) == agreed.end())
            text += "\n  " + cleanLine(path);
    }
    if (text.empty())
        return {};
    return Error{ErrorCode::InvalidArgument, "reading these paths was not allowed:" + text};
}

void RunLoop::agreeToPathsOf(const Plan& plan) const
{
    if (m_options.trust)
        m_options.trust->agree(folder(), outsidePaths(plan));
}

Status RunLoop::checkPrograms(const Plan& plan) const
{
    std::string text;
    for (const TrustedProgram& program : programsToTrust(plan, m_options.programTrust))
        text += "\n  " + cleanLine(program.name) + ", SHA-256 " + program.sha256;
    if (text.empty())
        return {};
    return Error{ErrorCode::InvalidArgument,
                 "these models are compiled programs that are not trusted:" + text};
}

Status RunLoop::warnOfUnquietProcessor()
{
    const auto onCpu = [](const PlannedCell& cell) { return cell.config.device == "cpu"; };
    if (std::none_of(m_data.plan.cells.begin(), m_data.plan.cells.end(), onCpu))
        return {};
    std::vector<Note> reasons = reasonsNotQuiet(readCpuState(m_options.systemRoot));
    return reasons.empty() ? Status() : event(EventKind::Warning, std::move(reasons));
}

// Of earlier sessions.
Status RunLoop::takeUpRows()
{
    std::size_t others = 0;
    for (const Measurement& row : m_data.measurements) {
        if (row.environmentId == m_environmentId)
            m_pace.count(row);
        else
            ++others;
    }
    return noteOtherEnvironments(others);
}

Status RunLoop::noteOtherEnvironments(std::size_t others)
{
    if (others == 0)
        return {};
    return event(EventKind::Note, {{NoteCode::EarlierEnvironments, {static_cast<double>(others)}}});
}

Status RunLoop::prepareAllInputs()
{
    m_mostBytesToWrite = m_data.plan.estimatedBytes();
    QS_RETURN_IF_ERROR(keepFedFiles(folder(), m_data.plan.preset.feeding));
    QS_RETURN_IF_ERROR(prepareImages(m_data.plan));
    if (m_requests.stopping())
        return {};
    QS_RETURN_IF_ERROR(checkImageLabels(folder(), m_data));
    const Status calibration = prepareCalibration();
    if (!calibration.ok() && calibration.error().code == ErrorCode::Cancelled)
        return {};
    QS_RETURN_IF_ERROR(calibration);
    if (isThere(pictureLabelsFile(folder())))
        QS_RETURN_IF_ERROR(m_recorder->keep(pictureLabelsFile(folder())));
    return m_sizes.empty() ? Status() : m_recorder->keep(pictureNamesFile(folder()));
}

Status RunLoop::prepareImages(const Plan& plan)
{
    for (const PlannedCell& cell : plan.cells) {
        const std::int64_t size = cell.config.imageSize();
        if (!cell.possible() || size <= 0 || m_sizes.contains(size))
            continue;
        const Status prepared = prepareInputsOf(size);
        if (!prepared.ok() && prepared.error().code == ErrorCode::Cancelled)
            return {};
        QS_RETURN_IF_ERROR(prepared);
        QS_RETURN_IF_ERROR(m_recorder->keep(inputArray(folder(), size)));
        m_sizes.insert(size);
    }
    return {};
}

Status RunLoop::prepareInputsOf(std::int64_t imageSize)
{
    QS_TRY(const PreparedInputs inputs,
           prepareInputs(folder(), located(m_data.plan.preset.pictures, m_options.resourceFolder),
                         imageSize, InputCache(m_options.inputCache), m_requests.ending(),
                         [this](int done, int expected) { reportInputs(done, expected); }));
    m_data.pictureNames = inputs.names;
    return warnOfLeftOut(inputs.skipped);
}

// For cells that are calibrated on the set of the preset.
Status RunLoop::prepareCalibration()
{
    const CalibrationInputs& calibration = m_data.plan.preset.calibration;
    std::set<std::pair<std::string, std::int64_t>> done;
    for (const PlannedCell& cell : m_data.plan.cells) {
        if (cell.calibration.empty())
            continue;  // its checkpoint has what calibrating found
        const std::string place = calibrationFolderOf(cell);
        const std::int64_t size = calibration.pictures.source.empty() ? 0 : cell.config.imageSize();
        if (!cell.possible() || !anyCalibratesOn(CalibrationSet::Own, cell.config.precision) ||
            !done.insert({place, size}).second)
            continue;
        QS_RETURN_IF_ERROR(keepCalibrationInputs(folder(), place, calibration));
        for (const auto& [input, feed] : calibration.inputs)
            QS_RETURN_IF_ERROR(keepOf(place, calibrationFeedName(calibration, input)));
        if (size == 0)
            continue;
        QS_TRY(const std::vector<std::string> skipped,
               keepCalibrationPictures(
                   folder(), place, located(calibration.pictures, m_options.resourceFolder), size,
                   InputCache(m_options.inputCache), m_requests.ending(),
                   [this](int given, int expected) { reportInputs(given, expected); }));
        QS_RETURN_IF_ERROR(warnOfLeftOut(skipped));
        QS_RETURN_IF_ERROR(keepOf(place, calibrationPicturesName(size)));
    }
    return {};
}

Status RunLoop::keepOf(const std::string& place, const std::string& name)
{
    return m_recorder->keep(FilePlace::inside(folder(), std::filesystem::path(place) / name));
}

// Every size leaves out the same files, mostly: each is worth one warning.
Status RunLoop::warnOfLeftOut(const std::vector<std::string>& skipped)
{
    double files = 0.0;
    std::string first;
    for (const std::string& file : skipped) {
        if (!m_leftOut.insert(file).second)
            continue;
        m_recorder->log("image left out: " + file);
        if (++files <= kLeftOutNamed)
            first += (first.empty() ? "" : "; ") + file;
    }
    if (files > kLeftOutNamed)
        first += "; …";
    return files > 0.0 ? event(EventKind::Warning, {{NoteCode::ImagesLeftOut, {files, first}}})
                       : Status();
}

// What sessions that were stopped or killed had measured but not compared.
Status RunLoop::compareWhatIsStored()
{
    for (const PlannedCell& cell : m_data.plan.cells) {
        for (const std::string& environment : m_comparison->outputs().environments(cell.id)) {
            if (m_requests.stopping())
                return {};
            QS_RETURN_IF_ERROR(completeWhatIsStored(cell, environment));
        }
    }
    return {};
}

Status RunLoop::completeWhatIsStored(const PlannedCell& cell, const std::string& environmentId)
{
    const std::string place = m_comparison->place(cell.id, environmentId);
    const int pictures = m_comparison->outputs().pictures(cell.id, environmentId);
    if (cell.output == OutputKind::Image && lacksOutputPictures(folder(), place, pictures)) {
        const Status made = writeOutputPictures(folder(), place, pictures, m_requests.ending());
        if (!made.ok() && made.error().code != ErrorCode::Cancelled)
            QS_RETURN_IF_ERROR(
                warnOfComparison({NoteCode::ImagesNotWritten, {cell.id, made.error().message}}));
    }
    return compareOutputsOf(cell, environmentId, m_requests.ending());
}

}  // namespace qs::core
