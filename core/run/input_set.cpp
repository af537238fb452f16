#include "core/run/input_set.h"

#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/npy_writer.h"
#include "core/base/sha256.h"
#include "core/base/stop.h"
#include "core/image/picture_file.h"
#include "core/image/resize.h"
#include "core/record/picture_labels.h"
#include "core/record/run_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

// To be raised when the code makes other pictures of the same file, or takes fewer of them.
constexpr const char* kFileVersion = " v2";
// Names of 4096 files, the most that a preset may ask for, of 255 letters each.
constexpr JsonLimits kNamesLimits{.bytes = std::size_t{8} << 20U, .depth = 2, .nodes = 5000};

// Of the part that the crop leaves, before it is scaled: the same answer at every size.
bool isOneColour(const Picture& picture, PictureCrop crop)
{
    const int side = std::min(picture.width, picture.height);
    const Picture part =
        crop == PictureCrop::Pad
            ? picture
            : cropped(picture, (picture.width - side) / 2, (picture.height - side) / 2, side, side);
    const auto& values = part.values;
    // Each pixel equals the one before it.
    return std::equal(values.begin() + part.channels, values.end(), values.begin());
}

Result<Picture> pictureFromFile(const fs::path& file, PictureCrop crop, int size,
                                const InputCache& cache, const std::stop_token& stop)
{
    QS_TRY(const std::string content, sha256File(file, stop));
    const std::string source = "file " + content +
                               (crop == PictureCrop::Pad ? " pad " : " center ") +
                               std::to_string(size) + kFileVersion;
    if (std::optional<Picture> known = cache.find(source))
        return std::move(*known);
    QS_TRY(Picture picture, readPicture(file, stop));
    Picture colour = toRgb(std::move(picture));
    // Every scheme gets it right, and kernels may run faster on equal numbers.
    if (isOneColour(colour, crop))
        return Error{ErrorCode::InvalidArgument,
                     file.filename().string() + ": all pixels have the same colour"};
    Picture square = crop == PictureCrop::Pad ? paddedToSquare(std::move(colour), size, stop)
                                              : centerCropAdm(std::move(colour), size, stop);
    QS_RETURN_IF_ERROR(checkNotStopped(stop));
    cache.add(source, square, stop);
    return square;
}

Result<std::vector<std::string>> storedNames(const FilePlace& file)
{
    QS_TRY(const Json json, readJsonFile(file, kNamesLimits));
    std::vector<std::string> names;
    for (const Json& name : json) {
        if (name.is_string())
            names.push_back(name.get<std::string>());
    }
    return names;
}

// The run's own copies: since they were made, the folder they came from may have changed or gone.
Result<PreparedInputs> storedInputs(const fs::path& runFolder, const FilePlace& array,
                                    std::int64_t size)
{
    QS_TRY(const std::vector<std::int64_t> shape, readNpyShape(array));
    if (shape.size() != 4 || shape[0] < 1 || shape[1] != 3 || shape[2] != size || shape[3] != size)
        return Error{ErrorCode::Format,
                     array.string() + " does not hold images of " + std::to_string(size) + " px"};
    const FilePlace names = pictureNamesFile(runFolder);
    PreparedInputs inputs;
    QS_TRY(inputs.names, storedNames(names));
    if (static_cast<std::int64_t>(inputs.names.size()) != shape[0])
        return Error{ErrorCode::Format,
                     names.string() + " does not list " + std::to_string(shape[0]) + " images"};
    return inputs;
}

// All sizes show the same images; their folder may have changed since those of another were made.
Status checkSameImages(const FilePlace& file, const std::vector<std::string>& names)
{
    QS_TRY(const std::vector<std::string> stored, storedNames(file));
    const auto [was, is] = std::mismatch(stored.begin(), stored.end(), names.begin(), names.end());
    if (was == stored.end() && is == names.end())
        return {};
    const std::string now = is == names.end() ? "no more" : "\"" + *is + "\"";
    const std::string before = was == stored.end() ? "no more" : "\"" + *was + "\"";
    return Error{ErrorCode::InvalidArgument,
                 "the images are not those of this run any more (" + now + " instead of " + before +
                     "): put them back as they were, or run it separately"};
}

Status writeInputs(InputSequence& sequence, const fs::path& runFolder, std::int64_t size,
                   const std::stop_token& stop,
                   const std::function<void(int done, int expected)>& progressed,
                   std::vector<std::string>& names)
{
    const FilePlace array = inputArray(runFolder, size);
    QS_TRY(NpyWriter writer, NpyWriter::create(array, {3, size, size}));
    PictureLabels labels{.classes = sequence.classes(), .labels = {}};
    QS_RETURN_IF_ERROR(sequence.visit(stop, progressed, [&](const NamedInput& input) -> Status {
        const int number = static_cast<int>(names.size());
        QS_RETURN_IF_ERROR(
            writePng(inputPicture(runFolder, size, number), input.picture, {}, stop));
        QS_RETURN_IF_ERROR(writer.append(inModelRange(input.picture), stop));
        names.push_back(input.name);
        if (input.label)
            labels.labels.push_back(*input.label);
        return {};
    }));
    // A file with labels was named; its copy is there already.
    if (!labels.classes.empty() && !isThere(pictureLabelsFile(runFolder)))
        QS_RETURN_IF_ERROR(writePictureLabels(runFolder, labels));
    // The array is last: with it, everything is there.
    if (const FilePlace file = pictureNamesFile(runFolder); isThere(file))
        QS_RETURN_IF_ERROR(checkSameImages(file, names));
    else
        QS_RETURN_IF_ERROR(writeFileAtomically(file, jsonText(names)));
    return writer.finish();
}

}  // namespace

PictureSettings located(PictureSettings settings, const fs::path& resourceFolder)
{
    if (settings.shipped())
        settings.source = (resourceFolder / "test_images").string();
    return settings;
}

Result<InputSequence> InputSequence::open(const PictureSettings& settings, std::int64_t size,
                                          const InputCache& cache, const std::stop_token& stop)
{
    if (size < 1 || size > kLargestCrop)
        return Error{ErrorCode::InvalidArgument, "images of " + std::to_string(size) +
                                                     " px are not supported; 1 to " +
                                                     std::to_string(kLargestCrop) + " are"};
    InputSequence sequence(settings, static_cast<int>(size), cache);
    const fs::path source(settings.source);
    std::error_code ignored;  // what is wrong with it is said by whoever opens it
    if (!fs::is_directory(source, ignored)) {
        sequence.m_files.push_back(source);
        return sequence;
    }
    QS_TRY(PictureList list, listClassedPictures(source, stop));
    sequence.m_files = std::move(list.files);
    sequence.m_classes = std::move(list.classes);
    sequence.m_labels = std::move(list.labels);
    for (const SkippedFile& file : list.skipped)
        sequence.leaveOut(file.path, file.path.filename().string() + ": " + file.reason);
    return sequence;
}

void InputSequence::leaveOut(const fs::path& file, const std::string& why)
{
    m_skipped.push_back(cleanLine(why));
    m_skippedNames.push_back(cleanLine(file.filename().string()));
}

int InputSequence::expected() const
{
    const auto left = static_cast<std::int64_t>(m_files.size() - m_nextFile);
    return static_cast<int>(std::min<std::int64_t>(m_settings.count, m_given + left));
}

Result<std::optional<NamedInput>> InputSequence::next(const std::stop_token& stop)
{
    QS_RETURN_IF_ERROR(checkNotStopped(stop));
    if (m_given == m_settings.count)
        return std::optional<NamedInput>();
    while (m_nextFile < m_files.size()) {
        const std::size_t number = m_nextFile++;
        const fs::path& file = m_files[number];
        Result<Picture> picture = pictureFromFile(file, m_settings.crop, m_size, m_cache, stop);
        if (picture.ok()) {
            ++m_given;
            NamedInput input{cleanLine(file.filename().string()), std::move(picture).value()};
            if (!m_labels.empty()) {
                const int label = m_labels[number];
                input.label = label;
                input.name =
                    cleanLine(m_classes[static_cast<std::size_t>(label)]) + "/" + input.name;
            }
            return std::optional(std::move(input));
        }
        if (picture.error().code == ErrorCode::Cancelled)
            return picture.error();
        // One broken file must not stop a sweep; it is named instead.
        leaveOut(file, picture.error().message);
    }
    if (m_given > 0)
        return std::optional<NamedInput>();
    std::string why = m_settings.source + ": no usable image; PNG and JPEG are supported";
    for (const std::string& skipped : m_skipped)
        why += "\n  " + skipped;
    return Error{ErrorCode::InvalidArgument, why};
}

Status InputSequence::visit(const std::stop_token& stop,
                            const std::function<void(int done, int expected)>& progressed,
                            const std::function<Status(const NamedInput& input)>& take)
{
    while (true) {
        if (progressed)
            progressed(given(), expected());
        QS_TRY(const std::optional<NamedInput> input, next(stop));
        if (!input)
            return {};
        QS_RETURN_IF_ERROR(take(*input));
    }
}

std::vector<float> inModelRange(const Picture& picture)
{
    FloatArray planar = toPlanar(picture);
    for (float& value : planar.values)
        value = value * 2.0F - 1.0F;
    return std::move(planar.values);
}

Result<PreparedInputs> prepareInputs(const fs::path& runFolder, const PictureSettings& settings,
                                     std::int64_t size, const InputCache& cache,
                                     const std::stop_token& stop,
                                     const std::function<void(int done, int expected)>& progressed)
{
    const FilePlace array = inputArray(runFolder, size);
    if (isThere(array))
        return storedInputs(runFolder, array, size);
    QS_TRY(InputSequence sequence, InputSequence::open(settings, size, cache, stop));
    QS_RETURN_IF_ERROR(createFolders(FilePlace::inside(runFolder, "inputs")));
    PreparedInputs inputs;
    QS_RETURN_IF_ERROR(writeInputs(sequence, runFolder, size, stop, progressed, inputs.names));
    inputs.skipped = sequence.skipped();
    return inputs;
}

}  // namespace qs::core
