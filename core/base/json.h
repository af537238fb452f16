#pragma once

#include "core/base/file_place.h"
#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

using Json = nlohmann::json;

// What a document from outside may contain. The defaults fit presets.
struct JsonLimits {
    std::size_t bytes = std::size_t{4} << 20U;
    std::size_t depth = 32;
    std::size_t nodes = 100'000;
    std::size_t stringBytes = std::size_t{64} << 10U;
};

// Parses within the limits; duplicate keys, non-finite numbers and text after the document are
// errors. `source` names the file in messages.
[[nodiscard]] Result<Json> parseJson(std::string_view text, std::string_view source,
                                     const JsonLimits& limits = {});
// With all of its texts cleaned, see Note [Clean text].
[[nodiscard]] Result<Json> readJsonFile(const FilePlace& place, const JsonLimits& limits = {});

// The document as text, on one line or indented. Never throws: what is not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string jsonText(const Json& json, int indent = -1);
// Text with sorted keys and no spaces: equal values give equal text, so it can be hashed.
[[nodiscard]] std::string canonicalText(const Json& json);

// One complaint about a document: where ("$.axes.batch[2]") and what.
struct JsonIssue {
    std::string path;
    std::string message;
};

[[nodiscard]] std::string formatIssues(const std::vector<JsonIssue>& issues);

// Reads the members of one JSON object by name and collects every complaint, so that a linter can
// list them all. finish() reports the members that nobody asked for. `json` must outlive the
// reader.
class JsonFields final
{
public:
    JsonFields(const Json& json, std::string path, std::vector<JsonIssue>& issues);

    // False if the value was no object at all; then no member is present.
    [[nodiscard]] bool isObject() const { return m_isObject; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    // Where complaints go: for members that are objects of their own.
    [[nodiscard]] std::vector<JsonIssue>& issues() { return m_issues; }
    [[nodiscard]] std::string pathOf(std::string_view name) const;

    // The member, or null if absent. Marks it as known.
    [[nodiscard]] const Json* find(std::string_view name);
    // As find, but its absence is a complaint.
    [[nodiscard]] const Json* require(std::string_view name);

    // Absent: the fallback. Wrong type or out of range: a complaint, and the fallback.
    [[nodiscard]] std::string text(std::string_view name, std::string fallback = {});
    [[nodiscard]] bool flag(std::string_view name, bool fallback);
    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t fallback,
                                       std::int64_t lowest, std::int64_t highest);
    [[nodiscard]] double number(std::string_view name, double fallback, double lowest,
                                double highest);
    [[nodiscard]] std::vector<std::string> textList(std::string_view name);

    void complain(std::string_view name, std::string message);
    // A complaint for each member that was never asked for.
    void finish();

private:
    const Json* m_json;
    std::string m_path;
    std::vector<JsonIssue>& m_issues;
    bool m_isObject = false;
    std::vector<const Json*> m_known;  // members that were asked for
};

}  // namespace qs::core
