#include "core/measure/calibration_entry.h"

#include "core/model/packaged/package_facts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace qs::core {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;

std::string metadataOf(const SafetensorsFile& file, const std::string& key)
{
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
}

std::vector<const TensorEntry*> byName(const SafetensorsFile& file)
{
    std::vector<const TensorEntry*> tensors;
    for (const TensorEntry& tensor : file.tensors())
        tensors.push_back(&tensor);
    std::sort(tensors.begin(), tensors.end(),
              [](const TensorEntry* a, const TensorEntry* b) { return a->name < b->name; });
    return tensors;
}

Result<std::string> hashOf(const SafetensorsFile& file, const CalibrationTexts& texts)
{
    Sha256 hash = calibrationHash(texts);
    std::vector<std::byte> piece(kPiece);
    for (const TensorEntry* tensor : byName(file)) {
        hash.update(tensor->name);
        for (std::uint64_t at = 0; at < tensor->bytes(); at += kPiece) {
            const std::size_t size = std::min<std::uint64_t>(kPiece, tensor->bytes() - at);
            const std::span bytes(piece.data(), size);
            QS_RETURN_IF_ERROR(file.readPart(*tensor, at, bytes));
            hash.update(bytes);
        }
    }
    return hash.hex();
}

}  // namespace

Sha256 calibrationHash(const CalibrationTexts& texts)
{
    Sha256 hash;
    for (const std::string* text : {&texts.content, &texts.record, &texts.model, &texts.precision})
        hash.update(std::to_string(text->size()) + ":" + *text);
    return hash;
}

SafetensorsMetadata calibrationMetadata(const CalibrationTexts& texts, const std::string& hash)
{
    return {{"content", texts.content},
            {"record", texts.record},
            {"model", texts.model},
            {"precision", texts.precision},
            {"sha256", hash}};
}

CalibrationTexts calibrationTexts(const SafetensorsFile& file)
{
    return {metadataOf(file, "content"), metadataOf(file, "record"), metadataOf(file, "model"),
            metadataOf(file, "precision")};
}

std::string namedCalibrationHash(const SafetensorsFile& file)
{
    return metadataOf(file, "sha256");
}

Result<StageCalibration> parseCalibrationRecord(const std::string& text)
{
    QS_TRY(const Json json, parseJson("{\"record\":[" + text + "]}", "calibration"));
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$", issues);
    auto records = calibrationFromJson(fields, "record", issues);
    if (!issues.empty() || records.size() != 1)
        return Error{ErrorCode::Format, "holds no record of a calibration"};
    return std::move(records.front());
}

Result<CalibrationEntry> readCalibrationEntry(const std::filesystem::path& path)
{
    QS_TRY(const SafetensorsFile file, openSafetensors(path));
    CalibrationEntry entry{calibrationTexts(file), {}, file.tensors().size(), file.fileBytes()};
    const auto refuse = [&](const std::string& why) {
        return Error{ErrorCode::Format, path.string() + ": " + why};
    };
    if (!packaged::isHash(entry.texts.content) || entry.tensors == 0)
        return refuse("is no calibration entry");
    if (path.filename().string() != entry.texts.content + kCalibrationExtension)
        return refuse("is the entry " + entry.texts.content + " under another name");
    auto record = parseCalibrationRecord(entry.texts.record);
    if (!record.ok())
        return refuse(record.error().message);
    entry.record = std::move(record).value();
    QS_TRY(const std::string hash, hashOf(file, entry.texts));
    if (hash != namedCalibrationHash(file))
        return refuse("is damaged: its SHA-256 is another than its header says");
    return entry;
}

}  // namespace qs::core
