#include "core/base/excerpt.h"
#include "core/base/json.h"

#include <nlohmann/json.hpp>
#include <simdjson.h>

#include <algorithm>
#include <new>

// simdjson reads, because a journal of a hundred thousand rows is mostly the reading of JSON; what
// it has read becomes a document of the library that the rest of the program works with.
namespace qs::core {

namespace {

std::string nestedTooDeep(const JsonLimits& limits)
{
    return "nested deeper than " + std::to_string(limits.depth) + " levels";
}

// Where and why a text is no JSON; the library that reads quickly does not tell the place.
std::string whereItBreaks(std::string_view text, const JsonLimits& limits, const char* otherwise)
{
    struct Listener final : nlohmann::json_sax<Json> {
        explicit Listener(const JsonLimits& whose) : limits(whose) {}
        bool null() override { return true; }
        bool boolean(bool) override { return true; }
        bool number_integer(number_integer_t) override { return true; }
        bool number_unsigned(number_unsigned_t) override { return true; }
        bool number_float(number_float_t, const string_t&) override { return true; }
        bool string(string_t&) override { return true; }
        bool binary(binary_t&) override { return true; }
        bool start_object(std::size_t) override { return enter(); }
        bool end_object() override { return leave(); }
        bool start_array(std::size_t) override { return enter(); }
        bool end_array() override { return leave(); }
        bool key(string_t&) override { return true; }
        bool parse_error(std::size_t position, const std::string&,
                         const nlohmann::detail::exception& error) override
        {
            complaint = "at byte " + std::to_string(position) + ": " + excerpt(error.what(), 240);
            return false;
        }
        bool enter()
        {
            if (++depth > limits.depth)
                complaint = nestedTooDeep(limits);
            return complaint.empty();
        }
        bool leave()
        {
            --depth;
            return true;
        }
        const JsonLimits& limits;
        std::size_t depth = 0;
        std::string complaint;
    };
    Listener listener(limits);
    Json::sax_parse(text, &listener);
    return listener.complaint.empty() ? otherwise : listener.complaint;
}

// Makes the document while it counts depth, values and lengths.
class BoundedBuilder final
{
public:
    explicit BoundedBuilder(const JsonLimits& limits) : m_limits(limits) {}

    [[nodiscard]] const std::string& complaint() const { return m_complaint; }

    bool build(const simdjson::dom::element& element, Json& value)
    {
        if (++m_values > m_limits.nodes)
            return refuse("more than " + std::to_string(m_limits.nodes) + " values");
        using simdjson::dom::element_type;
        switch (element.type()) {
        case element_type::ARRAY:
            return buildArray(element.get_array().value_unsafe(), value);
        case element_type::OBJECT:
            return buildObject(element.get_object().value_unsafe(), value);
        case element_type::INT64: {
            // The library's own type of whole numbers that are not negative.
            const std::int64_t number = element.get_int64().value_unsafe();
            value = number < 0 ? Json(number) : Json(static_cast<std::uint64_t>(number));
            return true;
        }
        case element_type::UINT64:
            value = element.get_uint64().value_unsafe();
            return true;
        case element_type::DOUBLE:
            value = element.get_double().value_unsafe();
            return true;
        case element_type::STRING:
            return buildText(element.get_string().value_unsafe(), value);
        case element_type::BOOL:
            value = element.get_bool().value_unsafe();
            return true;
        case element_type::NULL_VALUE:
            value = nullptr;
            return true;
        }
        return refuse("a value of an unknown kind");
    }

private:
    bool refuse(std::string complaint)
    {
        m_complaint = std::move(complaint);
        return false;
    }

    bool enter() { return ++m_depth <= m_limits.depth || refuse(nestedTooDeep(m_limits)); }

    bool buildText(std::string_view text, Json& value)
    {
        if (text.size() > m_limits.stringBytes)
            return refuse("a string is longer than " + std::to_string(m_limits.stringBytes) +
                          " bytes");
        value = text;
        return true;
    }

    bool buildArray(const simdjson::dom::array& array, Json& value)
    {
        if (!enter())
            return false;
        value = Json::array();
        auto& items = value.get_ref<Json::array_t&>();
        items.reserve(std::min(array.size(), m_limits.nodes - m_values));
        for (const simdjson::dom::element item : array) {
            if (!build(item, items.emplace_back()))
                return false;
        }
        --m_depth;
        return true;
    }

    bool buildObject(const simdjson::dom::object& object, Json& value)
    {
        if (!enter())
            return false;
        value = Json::object();
        auto& members = value.get_ref<Json::object_t&>();
        for (const auto& [key, item] : object) {
            if (key.size() > m_limits.stringBytes)
                return refuse("a key is longer than " + std::to_string(m_limits.stringBytes) +
                              " bytes");
            // Documents of ours have their keys in order.
            const std::size_t before = members.size();
            const auto place = members.try_emplace(members.end(), std::string(key));
            if (members.size() == before)
                return refuse("the key \"" + std::string(key) + "\" appears twice");
            if (!build(item, place->second))
                return false;
        }
        --m_depth;
        return true;
    }

    const JsonLimits& m_limits;
    std::size_t m_depth = 0;
    std::size_t m_values = 0;
    std::string m_complaint;
};

// Keeps its memory from one short text to the next: a journal is a hundred thousand of them.
simdjson::dom::parser& parserOfThisThread()
{
    static thread_local simdjson::dom::parser parser;
    return parser;
}

constexpr std::size_t kShortText = std::size_t{1} << 18U;

}  // namespace

Result<Json> parseJson(std::string_view text, std::string_view source, const JsonLimits& limits)
{
    const auto refuse = [&](const std::string& why) {
        return Error{ErrorCode::Format,
                     std::string(source) + ": not a valid JSON document: " + withShortQuotes(why)};
    };
    if (text.size() > limits.bytes)
        return refuse("larger than " + std::to_string(limits.bytes) + " bytes");
    if (text.find('\0') != std::string_view::npos)
        return refuse("it contains a NUL byte");
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark))
        text.remove_prefix(kByteOrderMark.size());
    simdjson::dom::parser once;
    simdjson::dom::parser& parser = text.size() <= kShortText ? parserOfThisThread() : once;
    simdjson::dom::element root;
    const simdjson::error_code error = parser.parse(text.data(), text.size()).get(root);
    if (error == simdjson::MEMALLOC)
        throw std::bad_alloc();
    if (error == simdjson::DEPTH_ERROR)
        return refuse(nestedTooDeep(limits));
    if (error != simdjson::SUCCESS)
        return refuse(whereItBreaks(text, limits,
                                    error == simdjson::NUMBER_ERROR
                                        ? "a number is larger than 64 bits hold"
                                        : simdjson::error_message(error)));
    BoundedBuilder builder(limits);
    Json document;
    if (!builder.build(root, document))
        return refuse(builder.complaint());
    return document;
}

}  // namespace qs::core
