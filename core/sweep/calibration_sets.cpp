#include "core/sweep/calibration_sets.h"

#include "core/base/sha256.h"
#include "core/image/picture_file.h"
#include "core/model/fed_inputs.h"
#include "core/model/feeding_check.h"
#include "core/model/model_ports.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <variant>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> pictureFiles(const PictureSettings& pictures)
{
    std::error_code error;
    if (!fs::is_directory(pictures.source, error))
        return {pictures.source};
    const auto list = listClassedPictures(pictures.source);
    std::vector<fs::path> files = list.ok() ? list.value().files : std::vector<fs::path>{};
    files.resize(std::min(files.size(), static_cast<std::size_t>(pictures.count)));
    return files;
}

std::string contentOf(const fs::path& file)
{
    const auto content = sha256File(file);
    return content.ok() ? content.value() : file.string();
}

std::vector<std::string> contentsOf(const std::vector<fs::path>& files)
{
    std::vector<std::string> contents;
    for (const fs::path& file : files)
        contents.push_back(contentOf(file));
    return contents;
}

// `files`: of pictures that are not shipped.
std::string contentOfPictures(const PictureSettings& pictures,
                              const std::vector<std::string>& files)
{
    Sha256 hash;
    hash.update(std::to_string(pictures.count) +
                (pictures.crop == PictureCrop::Pad ? " pad" : " center"));
    if (pictures.shipped()) {
        hash.update(" " + pictures.source);
        return hash.hex();
    }
    for (const std::string& file : files)
        hash.update(" " + file);
    return hash.hex();
}

// All that decides what is read, but for where the files lie.
void hashFeed(Sha256& hash, const std::string& input, const InputFeed& feed)
{
    hash.update("\n" + input);
    if (const auto* file = std::get_if<FileFeed>(&feed))
        hash.update(" file " + fs::path(file->path).extension().string() + " " + file->tensor);
    if (const auto* text = std::get_if<TextFeed>(&feed))
        hash.update(" text " + fs::path(text->path).extension().string() +
                    (text->pieces ? " pieces " : " prompts ") +
                    (text->pad ? std::to_string(*text->pad) : ""));
    for (const std::string& path : feedPaths(feed))
        hash.update(" " + contentOf(path));
}

// The bytes of row after row.
std::vector<std::string> rowHashes(const HostTensor& tensor)
{
    std::vector<std::string> hashes;
    std::visit(
        [&](const auto& values) {
            const auto rows = static_cast<std::size_t>(tensor.shape.front());
            const std::size_t size = rows == 0 ? 0 : values.size() / rows;
            for (std::size_t row = 0; row < rows; ++row) {
                Sha256 hash;
                hash.update(std::as_bytes(std::span(values).subspan(row * size, size)));
                hashes.push_back(hash.hex());
            }
        },
        tensor.values);
    return hashes;
}

// The hashes of one sample for all of these inputs.
std::string joined(const SampleContents& set, const std::vector<std::string>& inputs,
                   std::size_t number)
{
    std::string text;
    for (const std::string& input : inputs)
        text += set.rows.at(input)[number];
    return text;
}

std::set<std::string> joinedOf(const SampleContents& set, const std::vector<std::string>& inputs)
{
    std::set<std::string> all;
    for (std::int64_t number = 0; number < set.count; ++number)
        all.insert(joined(set, inputs, static_cast<std::size_t>(number)));
    return all;
}

}  // namespace

std::int64_t sharedSamples(const SampleContents& set, const std::vector<std::int64_t>& numbers,
                           const SampleContents& other)
{
    if (!set.pictures.empty() && !other.pictures.empty()) {
        const std::set<std::string> judged(other.pictures.begin(), other.pictures.end());
        return std::count_if(numbers.begin(), numbers.end(), [&](std::int64_t number) {
            return judged.contains(set.pictures[static_cast<std::size_t>(number)]);
        });
    }
    std::vector<std::string> inputs;
    for (const auto& [input, rows] : set.rows) {
        if (other.rows.contains(input))
            inputs.push_back(input);
    }
    if (inputs.empty())
        return 0;
    const std::set<std::string> judged = joinedOf(other, inputs);
    return std::count_if(numbers.begin(), numbers.end(), [&](std::int64_t number) {
        return judged.contains(joined(set, inputs, static_cast<std::size_t>(number)));
    });
}

bool CalibrationSets::hasOwn(const ModelFamily& family) const
{
    return family.workload().takesImages() ? !m_preset.calibration.pictures.source.empty()
                                           : !m_preset.calibration.inputs.empty();
}

PictureSettings CalibrationSets::picturesOf(CalibrationSet set) const
{
    return set == CalibrationSet::Own ? m_preset.calibration.pictures : m_preset.pictures;
}

const std::map<std::string, InputFeed>& CalibrationSets::inputsOf(CalibrationSet set) const
{
    return set == CalibrationSet::Own ? m_preset.calibration.inputs : m_preset.feeding.inputs;
}

bool CalibrationSets::hasOwnLengths(CalibrationSet set) const
{
    const auto& inputs = inputsOf(set);
    return std::any_of(inputs.begin(), inputs.end(), [](const auto& each) {
        const auto* text = std::get_if<TextFeed>(&each.second);
        return text != nullptr && text->ownLengths;
    });
}

const std::vector<std::string>& CalibrationSets::pictureContents(CalibrationSet set)
{
    const auto [found, fresh] = m_pictures.try_emplace(set);
    if (fresh) {
        PictureSettings pictures = picturesOf(set);
        if (pictures.shipped())
            pictures.source = (m_resourceFolder / "test_images").string();
        found->second = contentsOf(pictureFiles(pictures));
    }
    return found->second;
}

std::string CalibrationSets::content(CalibrationSet set, const ModelFamily& family)
{
    const bool images = family.workload().takesImages();
    const auto [found, fresh] = m_contents.try_emplace({set, images});
    if (!fresh)
        return found->second;
    Sha256 hash;
    bool any = images;
    if (images) {
        const PictureSettings pictures = picturesOf(set);
        hash.update(contentOfPictures(pictures, pictures.shipped() ? std::vector<std::string>()
                                                                   : pictureContents(set)));
    }
    for (const auto& [input, feed] : inputsOf(set)) {
        if (feedPaths(feed).empty())
            continue;
        any = true;
        hashFeed(hash, input, feed);
    }
    if (any)
        found->second = hash.hex();
    return found->second;
}

Result<SampleContents> CalibrationSets::readSamples(CalibrationSet set, const ModelFamily& family,
                                                    const Sizes& sizes)
{
    SampleContents contents;
    std::optional<std::int64_t> count;
    if (family.workload().takesImages()) {
        const PictureSettings pictures = picturesOf(set);
        std::error_code error;
        if (!pictures.shipped() && !fs::exists(pictures.source, error))
            return Error{ErrorCode::NotFound, pictures.source + " is not there"};
        contents.pictures = pictureContents(set);
        count = static_cast<std::int64_t>(contents.pictures.size());
    }
    QS_TRY(const ModelPorts ports, portsOf(family, {1, family.workload().completed(sizes)}));
    for (const auto& [input, feed] : inputsOf(set)) {
        const InputSpec* spec = family.workload().findInput(input);
        const TensorType* type = typeIn(ports.inputs, input);
        if (feedPaths(feed).empty())
            continue;
        if (spec == nullptr || type == nullptr)
            return Error{ErrorCode::InvalidArgument, "the model has no input \"" + input + "\""};
        auto read = readFedFile(feed);
        if (!read.ok())
            return read.error().within("input " + input);
        QS_TRY(const HostTensor tensor, fedTensor(std::move(read).value(), *spec, *type, feed));
        if (!spec->batched || tensor.shape.empty())
            continue;
        contents.rows.emplace(input, rowHashes(tensor));
        count = std::min(count.value_or(tensor.shape[0]), tensor.shape[0]);
    }
    contents.count = count.value_or(kGeneratedSamples);
    return contents;
}

const Result<SampleContents>& CalibrationSets::samples(CalibrationSet set, const Model& model,
                                                       const Sizes& sizes)
{
    const std::tuple key{set, model.variant + " " + model.contentId, sizes};
    if (const auto found = m_samples.find(key); found != m_samples.end())
        return found->second;
    return m_samples.emplace(key, readSamples(set, *model.family, sizes)).first->second;
}

}  // namespace qs::core
