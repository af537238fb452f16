#include "core/run/calibration_files.h"

#include "core/base/files.h"
#include "core/base/npy_writer.h"
#include "core/model/fed_inputs.h"
#include "core/model/tensor_file.h"
#include "core/run/input_set.h"

#include <optional>

namespace qs::core {

namespace fs = std::filesystem;

Status keepCalibrationInputs(const fs::path& runFolder, const fs::path& folder,
                             const CalibrationInputs& calibration)
{
    for (const auto& [input, feed] : calibration.inputs) {
        const FilePlace copy =
            FilePlace::inside(runFolder, folder / calibrationFeedName(calibration, input));
        if (isThere(copy))
            continue;
        QS_RETURN_IF_ERROR(createFolders(FilePlace::inside(runFolder, folder)));
        const auto tensor = readFedFile(feed);
        if (!tensor.ok())
            return tensor.error().within("calibration input " + input);
        QS_RETURN_IF_ERROR(writeFileAtomically(copy, encodeNpy(tensor.value())));
    }
    return {};
}

Result<std::vector<std::string>>
keepCalibrationPictures(const fs::path& runFolder, const fs::path& folder,
                        const PictureSettings& pictures, std::int64_t size, const InputCache& cache,
                        const std::stop_token& stop,
                        const std::function<void(int done, int expected)>& progressed)
{
    const FilePlace array = FilePlace::inside(runFolder, folder / calibrationPicturesName(size));
    if (isThere(array))
        return std::vector<std::string>();
    QS_TRY(InputSequence sequence, InputSequence::open(pictures, size, cache, stop));
    QS_RETURN_IF_ERROR(createFolders(FilePlace::inside(runFolder, folder)));
    QS_TRY(NpyWriter writer, NpyWriter::create(array, {3, size, size}));
    QS_RETURN_IF_ERROR(sequence.visit(stop, progressed, [&](const NamedInput& input) {
        return writer.append(inModelRange(input.picture), stop);
    }));
    QS_RETURN_IF_ERROR(writer.finish());
    return sequence.skipped();
}

}  // namespace qs::core
