#include "core/base/excerpt.h"
#include "core/base/json.h"
#include "core/base/parsed_json.h"

#include <nlohmann/json.hpp>
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

// simdjson reads, because a journal of a hundred thousand rows is mostly the reading of JSON.
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

// Counts depth, values and lengths, and finds keys that appear twice: what a reader would take for
// the value of the first one another takes for that of the last.
class Bounds final
{
public:
    explicit Bounds(const JsonLimits& limits) : m_limits(limits) {}

    [[nodiscard]] const std::string& complaint() const { return m_complaint; }

    bool hold(const simdjson::dom::element& element)
    {
        if (++m_values > m_limits.nodes)
            return refuse("more than " + std::to_string(m_limits.nodes) + " values");
        if (element.is_array())
            return holdArray(element.get_array().value_unsafe());
        if (element.is_object())
            return holdObject(element.get_object().value_unsafe());
        return !element.is_string() || holdText(element.get_string().value_unsafe(), "string");
    }

private:
    bool refuse(std::string complaint)
    {
        m_complaint = std::move(complaint);
        return false;
    }

    bool enter() { return ++m_depth <= m_limits.depth || refuse(nestedTooDeep(m_limits)); }

    bool holdText(std::string_view text, const char* what)
    {
        return text.size() <= m_limits.stringBytes ||
               refuse(std::string("a ") + what + " is longer than " +
                      std::to_string(m_limits.stringBytes) + " bytes");
    }

    bool holdArray(const simdjson::dom::array& array)
    {
        if (!enter())
            return false;
        for (const simdjson::dom::element item : array) {
            if (!hold(item))
                return false;
        }
        --m_depth;
        return true;
    }

    bool holdObject(const simdjson::dom::object& object)
    {
        if (!enter())
            return false;
        std::string_view before;
        bool inOrder = true;
        for (const auto& [key, item] : object) {
            if (!holdText(key, "key"))
                return false;
            // Documents of ours have their keys in order; the first one may be empty.
            inOrder = inOrder && (before.data() == nullptr || before < key);
            before = key;
            if (!hold(item))
                return false;
        }
        --m_depth;
        return inOrder || differ(object);
    }

    bool differ(const simdjson::dom::object& object)
    {
        std::vector<std::string_view> keys;
        for (const auto& [key, item] : object)
            keys.push_back(key);
        std::sort(keys.begin(), keys.end());
        const auto twice = std::adjacent_find(keys.begin(), keys.end());
        return twice == keys.end() ||
               refuse("the key \"" + std::string(*twice) + "\" appears twice");
    }

    const JsonLimits& m_limits;
    std::size_t m_depth = 0;
    std::size_t m_values = 0;
    std::string m_complaint;
};

constexpr std::size_t kShortText = std::size_t{1} << 18U;

Error notJson(std::string_view source, const std::string& why)
{
    return {ErrorCode::Format,
            std::string(source) + ": not a valid JSON document: " + withShortQuotes(why)};
}

}  // namespace

struct ParsedJson::Content {
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    Json json;
    bool isJson = false;

    // Keeps a parser's memory from one short text to the next: a journal is a hundred thousand of
    // them. One for all threads: glibc aborts when a thread's own object finds no memory for its
    // destructor.
    static std::unique_ptr<Content> exchangeSpare(std::unique_ptr<Content> other)
    {
        static std::mutex guard;
        static std::unique_ptr<Content> spare;
        const std::scoped_lock lock(guard);
        return std::exchange(spare, std::move(other));
    }

    static std::unique_ptr<Content> taken()
    {
        auto spare = exchangeSpare(nullptr);
        return spare ? std::move(spare) : std::make_unique<Content>();
    }
};

ParsedJson::ParsedJson(std::unique_ptr<Content> content) : m_content(std::move(content)) {}

ParsedJson::ParsedJson(Json json) : m_content(std::make_unique<Content>())
{
    m_content->json = std::move(json);
    m_content->isJson = true;
}

ParsedJson::ParsedJson(ParsedJson&& other) noexcept = default;

ParsedJson& ParsedJson::operator=(ParsedJson&& other) noexcept = default;

ParsedJson::~ParsedJson()
{
    if (m_content && !m_content->isJson && m_content->parser.capacity() <= kShortText)
        Content::exchangeSpare(std::move(m_content));
}

JsonView ParsedJson::root() const
{
    if (m_content->isJson)
        return m_content->json;
    return JsonView(std::bit_cast<JsonView::Element>(m_content->root));
}

Result<ParsedJson> ParsedJson::parse(std::string_view text, std::string_view source,
                                     const JsonLimits& limits)
{
    if (text.size() > limits.bytes)
        return notJson(source, "larger than " + std::to_string(limits.bytes) + " bytes");
    if (text.find('\0') != std::string_view::npos)
        return notJson(source, "it contains a NUL byte");
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark))
        text.remove_prefix(kByteOrderMark.size());
    std::unique_ptr<Content> content = Content::taken();
    const simdjson::error_code error =
        content->parser.parse(text.data(), text.size()).get(content->root);
    if (error == simdjson::MEMALLOC)
        throw std::bad_alloc();
    if (error == simdjson::DEPTH_ERROR)
        return notJson(source, nestedTooDeep(limits));
    if (error != simdjson::SUCCESS)
        return notJson(source, whereItBreaks(text, limits,
                                             error == simdjson::NUMBER_ERROR
                                                 ? "a number is larger than 64 bits hold"
                                                 : simdjson::error_message(error)));
    Bounds bounds(limits);
    if (!bounds.hold(content->root))
        return notJson(source, bounds.complaint());
    return ParsedJson(std::move(content));
}

Result<Json> parseJson(std::string_view text, std::string_view source, const JsonLimits& limits)
{
    QS_TRY(const ParsedJson document, ParsedJson::parse(text, source, limits));
    return document.root().json();
}

}  // namespace qs::core
