#include "core/run/input_set.h"

#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/image/picture_file.h"
#include "core/image/procedural.h"
#include "core/image/resize.h"
#include "core/record/run_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

// To be raised when the code makes other pictures of the same source, or takes fewer of them.
constexpr const char* kProceduralVersion = " v1";
constexpr const char* kFileVersion = " v2";

Result<InputSet> proceduralInputs(const PictureSettings& settings, std::int64_t size,
                                  const InputCache& cache)
{
    if (size < kSmallestProcedural || size > kLargestProcedural)
        return Error{ErrorCode::InvalidArgument,
                     "generated pictures have " + std::to_string(kSmallestProcedural) + " to " +
                         std::to_string(kLargestProcedural) + " px, not " + std::to_string(size)};
    InputSet set;
    for (int i = 0; i < settings.count; ++i) {
        const std::string source = "procedural " + std::to_string(settings.seed) + " " +
                                   std::to_string(i) + " " + std::to_string(size) +
                                   kProceduralVersion;
        std::optional<Picture> picture = cache.find(source);
        if (!picture) {
            picture = proceduralSetPicture(i, settings.seed, static_cast<int>(size)).picture;
            cache.add(source, *picture);
        }
        set.names.push_back(proceduralSetName(i));
        set.pictures.push_back(std::move(*picture));
    }
    return set;
}

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
                                const InputCache& cache)
{
    QS_TRY(const std::string content, sha256File(file));
    const std::string source = "file " + content +
                               (crop == PictureCrop::Pad ? " pad " : " center ") +
                               std::to_string(size) + kFileVersion;
    if (std::optional<Picture> known = cache.find(source))
        return std::move(*known);
    QS_TRY(Picture picture, readPicture(file));
    Picture colour = toRgb(std::move(picture));
    // Every scheme gets it right, and kernels may run faster on equal numbers.
    if (isOneColour(colour, crop))
        return Error{ErrorCode::InvalidArgument,
                     file.filename().string() +
                         ": all pixels have one colour, which tells nothing of a model"};
    Picture square = crop == PictureCrop::Pad ? paddedToSquare(std::move(colour), size)
                                              : centerCropAdm(std::move(colour), size);
    cache.add(source, square);
    return square;
}

Result<InputSet> inputsFromFiles(const PictureSettings& settings, std::int64_t size,
                                 const InputCache& cache)
{
    const fs::path source(settings.source);
    PictureList list;
    std::error_code ignored;  // what is wrong with it is said by whoever opens it
    if (fs::is_directory(source, ignored)) {
        QS_TRY(list, listPictures(source));
    } else {
        list.files.push_back(source);
    }
    InputSet set;
    for (const SkippedFile& file : list.skipped)
        set.skipped.push_back(cleanLine(file.path.filename().string() + ": " + file.reason));
    for (const fs::path& file : list.files) {
        if (static_cast<int>(set.pictures.size()) == settings.count)
            break;
        Result<Picture> picture =
            pictureFromFile(file, settings.crop, static_cast<int>(size), cache);
        if (!picture.ok()) {
            // One broken file must not stop a sweep; it is named instead.
            set.skipped.push_back(cleanLine(picture.error().message));
            continue;
        }
        set.names.push_back(cleanLine(file.filename().string()));
        set.pictures.push_back(std::move(picture).value());
    }
    if (set.pictures.empty()) {
        std::string why = source.string() + ": no picture could be used; PNG and JPEG are read";
        for (const std::string& skipped : set.skipped)
            why += "\n  " + skipped;
        return Error{ErrorCode::InvalidArgument, why};
    }
    return set;
}

// The run's own copies: since they were made, the folder they came from may have changed or gone.
Result<InputSet> storedInputs(const fs::path& runFolder, const FilePlace& array)
{
    QS_TRY(FloatArray values, readNpy(array));
    for (float& value : values.values)
        value = (value + 1.0F) * 0.5F;
    InputSet set;
    auto pictures = picturesFromPlanar(values);
    if (!pictures.ok())
        return pictures.error().within(array.string());
    set.pictures = std::move(pictures).value();
    const FilePlace names = pictureNamesFile(runFolder);
    QS_TRY(const Json json, readJsonFile(names));
    for (const Json& name : json) {
        if (name.is_string())
            set.names.push_back(name.get<std::string>());
    }
    if (set.names.size() != set.pictures.size())
        return Error{ErrorCode::Format, names.string() + " does not name " +
                                            std::to_string(set.pictures.size()) + " pictures"};
    return set;
}

}  // namespace

Result<InputSet> makeInputSet(const PictureSettings& settings, std::int64_t size,
                              const InputCache& cache)
{
    if (size < 1 || size > kLargestCrop)
        return Error{ErrorCode::InvalidArgument, "pictures of " + std::to_string(size) +
                                                     " px are not supported; 1 to " +
                                                     std::to_string(kLargestCrop) + " are"};
    return settings.source == "procedural" ? proceduralInputs(settings, size, cache)
                                           : inputsFromFiles(settings, size, cache);
}

FloatArray toModelRange(const std::vector<Picture>& pictures)
{
    FloatArray array;
    if (pictures.empty())
        return array;
    array.shape = {static_cast<std::int64_t>(pictures.size()), 3, pictures.front().height,
                   pictures.front().width};
    for (const Picture& picture : pictures) {
        for (const float value : toPlanar(picture).values)
            array.values.push_back(value * 2.0F - 1.0F);
    }
    return array;
}

Result<InputSet> prepareInputs(const fs::path& runFolder, const PictureSettings& settings,
                               std::int64_t size, const InputCache& cache)
{
    const FilePlace array = inputArray(runFolder, size);
    // The array is written last: with it, everything is there.
    if (isThere(array))
        return storedInputs(runFolder, array);
    QS_TRY(InputSet set, makeInputSet(settings, size, cache));
    QS_RETURN_IF_ERROR(createFolders(FilePlace::inside(runFolder, "inputs")));
    for (std::size_t i = 0; i < set.pictures.size(); ++i)
        QS_RETURN_IF_ERROR(
            writePng(inputPicture(runFolder, size, static_cast<int>(i)), set.pictures[i]));
    QS_RETURN_IF_ERROR(writeFileAtomically(pictureNamesFile(runFolder), jsonText(set.names)));
    QS_RETURN_IF_ERROR(writeNpy(array, toModelRange(set.pictures)));
    return set;
}

}  // namespace qs::core
