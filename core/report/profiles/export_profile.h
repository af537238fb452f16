#pragma once

#include "core/analysis/analysis.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/record/run_data.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Note [Export profiles]
// A profile writes a run as the script of a document would have written it: its files, its fields
// in its units, nothing left out and nothing added but the name of a record (kRecordName) where the
// script wrote a file for each, or one record for several of ours. What the run does not have is
// null (empty in CSV); reasons.json beside the files says why, and names what is here but of
// another kind than elsewhere in this program (wall clock, mean of few samples): "legacy".

inline constexpr const char* kRecordName = "config";

// A field of a document with what the run has for it.
struct ProfileValue {
    std::string field;
    Json value = {};          // null: the run does not have it
    std::string reason = {};  // why it is null; of a value, what is to know of it; may be empty
};

// An object or a line of a profile's file.
class ProfileRecord final
{
public:
    // `name`: what reasons.json calls it.
    explicit ProfileRecord(std::string name) : m_name(std::move(name)) {}

    // In the order of the document. A value that is not there, or not finite, is null.
    void number(std::string_view field, const std::optional<double>& value,
                std::string_view reason = {});
    void set(std::string_view field, Json value, std::string_view reason = {});
    void missing(std::string_view field, std::string_view reason);

    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] const std::vector<ProfileValue>& values() const { return m_values; }

private:
    std::string m_name;
    std::vector<ProfileValue> m_values;
};

enum class ProfileFormat {
    JsonList,    // an object for each record
    JsonObject,  // of the only record
    Csv,
};

struct ProfileTable {
    std::string file;  // may lie in a folder: "artifacts/qwen3b/baseline.json"
    ProfileFormat format = ProfileFormat::JsonList;
    std::vector<std::string> fields;  // all that the document has, in its order
    std::vector<ProfileRecord> records = {};
};

// A file that is no table, such as a printed one.
struct ProfileText {
    std::string file;
    std::string text;
};

struct ProfileContent {
    std::vector<ProfileTable> tables;
    std::vector<ProfileText> texts = {};
};

struct ExportProfile {
    std::string id;     // on the command line: "vitok-benchmark"
    std::string title;  // in menus: "ViTok benchmark"
    std::string about;  // whose files these are, in a sentence
    std::function<Result<ProfileContent>(const RunData& data, const Analysis& analysis)> content;
};

inline constexpr const char* kReasonsFile = "reasons.json";

// Writes the files of the profile, reasons.json and environment.json, each whole or not at all;
// says which. Replaces those of an earlier report alone.
[[nodiscard]] Result<std::vector<std::string>> writeProfile(const ExportProfile& profile,
                                                            const RunData& data,
                                                            const Analysis& analysis,
                                                            const std::filesystem::path& folder);

}  // namespace qs::core
