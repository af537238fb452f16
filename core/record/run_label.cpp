#include "core/record/run_label.h"

#include "core/base/clean_text.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/schema_version.h"
#include "core/base/text_parts.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

constexpr JsonLimits kLabelLimits{.bytes = std::size_t{64} << 10U,
                                  .depth = 4,
                                  .nodes = 200,
                                  .stringBytes = std::size_t{32} << 10U};

FilePlace labelFile(const fs::path& folder)
{
    return FilePlace::inside(folder, "label.json");
}

// Of a tidied one.
Status checkLengths(const RunLabel& label, ErrorCode code)
{
    const auto tooLong = [code](const char* what, std::size_t most, const char* unit) {
        return Error{code, std::string(what) + " of a run may have at most " +
                               std::to_string(most) + " " + unit};
    };
    if (label.name.size() > kLongestRunName)
        return tooLong("the name", kLongestRunName, "bytes");
    if (label.note.size() > kLongestRunNote)
        return tooLong("the note", kLongestRunNote, "bytes");
    if (label.tags.size() > kMostRunTags)
        return tooLong("the list of tags", kMostRunTags, "entries");
    const bool longTag = std::any_of(label.tags.begin(), label.tags.end(),
                                     [](const auto& tag) { return tag.size() > kLongestRunTag; });
    return longTag ? Status(tooLong("a tag", kLongestRunTag, "bytes")) : Status();
}

}  // namespace

RunLabel tidied(const RunLabel& label)
{
    RunLabel tidy{.name = std::string(trimmed(cleanLine(label.name))),
                  .tags = {},
                  .note = std::string(trimmed(cleanText(label.note)))};
    for (const std::string& tags : label.tags) {
        for (const std::string& part : splitAt(tags, ',')) {
            const std::string tag(trimmed(cleanLine(part)));
            if (!tag.empty() &&
                std::find(tidy.tags.begin(), tidy.tags.end(), tag) == tidy.tags.end())
                tidy.tags.push_back(tag);
        }
    }
    return tidy;
}

Result<RunLabel> readRunLabel(const fs::path& runFolder)
{
    const FilePlace file = labelFile(runFolder);
    const auto read = readJsonFile(file, kLabelLimits);
    // Not asked for before: another thread or window may take it away in between.
    if (!read.ok() && read.error().code == ErrorCode::NotFound)
        return RunLabel{};
    if (!read.ok())
        return read.error();
    const Json& json = read.value();
    if (const Status fits = checkSchemaVersion(json, kRunLabelSchemaVersion); !fits.ok())
        return fits.error().within(file.string());
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$", issues);
    static_cast<void>(fields.find("schema_version"));
    const RunLabel label{
        .name = fields.text("name"), .tags = fields.textList("tags"), .note = fields.text("note")};
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, file.string() + ": " + formatIssues(issues)};
    RunLabel tidy = tidied(label);
    if (const Status fits = checkLengths(tidy, ErrorCode::Format); !fits.ok())
        return fits.error().within(file.string());
    return tidy;
}

Status writeRunLabel(const fs::path& runFolder, const RunLabel& label)
{
    const FilePlace file = labelFile(runFolder);
    if (!isThere(FilePlace::inside(runFolder, "plan.json")))
        return Error{ErrorCode::NotFound,
                     runFolder.string() + " is not a run folder: no plan.json"};
    const RunLabel tidy = tidied(label);
    QS_RETURN_IF_ERROR(checkLengths(tidy, ErrorCode::InvalidArgument));
    if (const auto known = readRunLabel(runFolder);
        !known.ok() && known.error().code == ErrorCode::Unsupported)
        return known.error();
    if (tidy.isEmpty())
        return removeFile(file);
    const Json json{{"schema_version", kRunLabelSchemaVersion},
                    {"name", tidy.name},
                    {"tags", tidy.tags},
                    {"note", tidy.note}};
    return writeFileAtomically(file, jsonText(json, 1) + "\n");
}

}  // namespace qs::core
