#include "core/run/run_inputs.h"

#include "core/base/files.h"
#include "core/base/text_parts.h"
#include "core/quant/calibration.h"
#include "core/record/picture_labels.h"
#include "core/record/run_folder.h"
#include "core/run/calibration_files.h"
#include "core/run/fed_files.h"
#include "core/run/input_set.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace qs::core {

namespace {

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

RunInputs::RunInputs(const RunOptions& options, RunRecorder& recorder, RunData& data,
                     const RunRequests& requests, Progressed progressed)
    : m_options(options),
      m_recorder(recorder),
      m_data(data),
      m_requests(requests),
      m_progressed(std::move(progressed)),
      m_folder(recorder.folder().path())
{
}

Status RunInputs::prepare()
{
    QS_RETURN_IF_ERROR(keepFedFiles(m_folder, m_data.plan.preset.feeding));
    QS_RETURN_IF_ERROR(prepareImages(m_data.plan));
    if (m_requests.stopping())
        return {};
    QS_RETURN_IF_ERROR(checkImageLabels(m_folder, m_data));
    const Status calibration = prepareCalibration();
    if (!calibration.ok() && calibration.error().code == ErrorCode::Cancelled)
        return {};
    QS_RETURN_IF_ERROR(calibration);
    if (isThere(pictureLabelsFile(m_folder)))
        QS_RETURN_IF_ERROR(m_recorder.keep(pictureLabelsFile(m_folder)));
    return m_sizes.empty() ? Status() : m_recorder.keep(pictureNamesFile(m_folder));
}

Status RunInputs::prepareImages(const Plan& plan)
{
    for (const PlannedCell& cell : plan.cells) {
        const std::int64_t size = cell.config.imageSize();
        if (!cell.possible() || size <= 0 || m_sizes.contains(size))
            continue;
        const Status prepared = prepareInputsOf(size);
        if (!prepared.ok() && prepared.error().code == ErrorCode::Cancelled)
            return {};
        QS_RETURN_IF_ERROR(prepared);
        QS_RETURN_IF_ERROR(m_recorder.keep(inputArray(m_folder, size)));
        m_sizes.insert(size);
    }
    return {};
}

Status RunInputs::prepareInputsOf(std::int64_t imageSize)
{
    QS_TRY(const PreparedInputs inputs,
           prepareInputs(m_folder, located(m_data.plan.preset.pictures, m_options.resourceFolder),
                         imageSize, InputCache(m_options.inputCache), m_requests.ending(),
                         m_progressed));
    m_data.pictureNames = inputs.names;
    return warnOfLeftOut(inputs.skipped);
}

// For cells that are calibrated on the set of the preset.
Status RunInputs::prepareCalibration()
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
        QS_RETURN_IF_ERROR(keepCalibrationInputs(m_folder, place, calibration));
        for (const auto& [input, feed] : calibration.inputs)
            QS_RETURN_IF_ERROR(keepOf(place, calibrationFeedName(calibration, input)));
        if (size == 0)
            continue;
        QS_TRY(const std::vector<std::string> skipped,
               keepCalibrationPictures(
                   m_folder, place, located(calibration.pictures, m_options.resourceFolder), size,
                   InputCache(m_options.inputCache), m_requests.ending(), m_progressed));
        QS_RETURN_IF_ERROR(warnOfLeftOut(skipped));
        QS_RETURN_IF_ERROR(keepOf(place, calibrationPicturesName(size)));
    }
    return {};
}

Status RunInputs::keepOf(const std::string& place, const std::string& name)
{
    return m_recorder.keep(FilePlace::inside(m_folder, std::filesystem::path(place) / name));
}

// Every size leaves out the same files, mostly: each is worth one warning.
Status RunInputs::warnOfLeftOut(const std::vector<std::string>& skipped)
{
    double files = 0.0;
    std::string first;
    for (const std::string& file : skipped) {
        if (!m_leftOut.insert(file).second)
            continue;
        m_recorder.log("image left out: " + file);
        if (++files <= kLeftOutNamed)
            first += (first.empty() ? "" : "; ") + file;
    }
    if (files > kLeftOutNamed)
        first += "; …";
    return files > 0.0 ? m_recorder.addEvent(EventKind::Warning,
                                             {{NoteCode::ImagesLeftOut, {files, first}}})
                       : Status();
}

}  // namespace qs::core
