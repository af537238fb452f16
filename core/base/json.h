#pragma once

#include "core/base/file_place.h"
#include "core/base/json_limits.h"
#include "core/base/json_view.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

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
// list them all. finish() reports the members that nobody asked for. The document must outlive the
// reader.
class JsonFields final
{
public:
    JsonFields(const JsonView& json, std::string path, std::vector<JsonIssue>& issues);
    // Of an element of the list `name` of a reader that outlives this one: there are many, and
    // nearly none of them needs its path.
    JsonFields(const JsonView& json, const JsonFields& parent, std::string_view name,
               std::size_t place, std::vector<JsonIssue>& issues);

    // False if the value was no object at all; then no member is present.
    [[nodiscard]] bool isObject() const { return m_isObject; }
    [[nodiscard]] std::string path() const;
    // Where complaints go: for members that are objects of their own.
    [[nodiscard]] std::vector<JsonIssue>& issues() { return m_issues; }
    [[nodiscard]] std::string pathOf(std::string_view name) const;

    // The member, or null if absent. Marks it as known.
    [[nodiscard]] const JsonView* member(std::string_view name);
    // As member, but its absence is a complaint.
    [[nodiscard]] const JsonView* requiredMember(std::string_view name);
    [[nodiscard]] bool has(std::string_view name) { return member(name) != nullptr; }
    // The same of documents that are a Json, for those who do more than look at it.
    [[nodiscard]] const Json* find(std::string_view name);
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
    struct Member {
        std::string_view name;
        JsonView value;
        bool isKnown = false;  // it was asked for
    };

    void readMembers(const JsonView& json);

    std::string m_path;  // unless m_parent
    const JsonFields* m_parent = nullptr;
    std::string_view m_name;  // of the list in m_parent
    std::size_t m_place = 0;  // in the list
    std::vector<JsonIssue>& m_issues;
    bool m_isObject = false;
    std::vector<Member> m_members;
};

}  // namespace qs::core
