#pragma once

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>

namespace qs::core {

using Json = nlohmann::json;

// A value of a document that is only read: of a Json in memory, or of a text that was parsed
// without making one of it, see ParsedJson. Cheap to copy; must not outlive its document.
class JsonView final
{
public:
    // Without a word, so that what reads a text reads a document in memory as well.
    JsonView(const Json& json) : m_json(&json) {}

    [[nodiscard]] bool isNull() const;
    [[nodiscard]] bool isList() const;
    [[nodiscard]] bool isObject() const;
    // The value if it is of that kind.
    [[nodiscard]] std::optional<bool> flag() const;
    [[nodiscard]] std::optional<std::string_view> text() const;
    [[nodiscard]] std::optional<double> number() const;
    // Nothing as well if 63 bits do not hold it.
    [[nodiscard]] std::optional<std::int64_t> wholeNumber() const;
    // Of a list or an object; 0 of anything else.
    [[nodiscard]] std::size_t size() const;
    // Of an object.
    [[nodiscard]] std::optional<JsonView> member(std::string_view name) const;
    // Calls act(value) for each element of a list, which anything else does not have.
    template <typename Act>
    void forEachItem(Act&& act) const
    {
        using Called = std::remove_reference_t<Act>;
        eachItem(std::addressof(act),
                 [](void* called, const JsonView& item) { (*static_cast<Called*>(called))(item); });
    }
    // Calls act(name, value) for each member of an object.
    template <typename Act>
    void forEachMember(Act&& act) const
    {
        using Called = std::remove_reference_t<Act>;
        eachMember(std::addressof(act),
                   [](void* called, std::string_view name, const JsonView& value) {
                       (*static_cast<Called*>(called))(name, value);
                   });
    }
    // "object", "array", "string", "number", "boolean" or "null", for messages.
    [[nodiscard]] const char* typeName() const;
    // A copy that may be kept.
    [[nodiscard]] Json json() const;
    // Null unless it is of a Json.
    [[nodiscard]] const Json* inMemory() const { return m_json; }

private:
    friend class ParsedJson;
    // What simdjson calls an element.
    using Element = std::array<std::uint64_t, 2>;
    using ItemCall = void (*)(void* called, const JsonView& item);
    using MemberCall = void (*)(void* called, std::string_view name, const JsonView& value);

    explicit JsonView(const Element& element) : m_element(element) {}
    void eachItem(void* called, ItemCall call) const;
    void eachMember(void* called, MemberCall call) const;

    const Json* m_json = nullptr;
    Element m_element{};  // unless m_json
};

}  // namespace qs::core
