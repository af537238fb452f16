#include "core/base/json_view.h"

#include <nlohmann/json.hpp>
#include <simdjson.h>

#include <bit>

namespace qs::core {

namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

// Of a value that was parsed within limits: the depth is known to be small.
Json copyOf(const element& value)
{
    switch (value.type()) {
    case element_type::ARRAY: {
        Json list = Json::array();
        auto& items = list.get_ref<Json::array_t&>();
        const simdjson::dom::array source = value.get_array().value_unsafe();
        items.reserve(source.size());
        for (const element item : source)
            items.push_back(copyOf(item));
        return list;
    }
    case element_type::OBJECT: {
        Json object = Json::object();
        auto& members = object.get_ref<Json::object_t&>();
        // Documents of ours have their keys in order.
        const simdjson::dom::object source = value.get_object().value_unsafe();
        for (const auto& [key, item] : source)
            members.try_emplace(members.end(), std::string(key), copyOf(item));
        return object;
    }
    case element_type::INT64: {
        // The library's own type of whole numbers that are not negative.
        const std::int64_t number = value.get_int64().value_unsafe();
        return number < 0 ? Json(number) : Json(static_cast<std::uint64_t>(number));
    }
    case element_type::UINT64:
        return value.get_uint64().value_unsafe();
    case element_type::DOUBLE:
        return value.get_double().value_unsafe();
    case element_type::STRING:
        return value.get_string().value_unsafe();
    case element_type::BOOL:
        return value.get_bool().value_unsafe();
    case element_type::NULL_VALUE:
        return nullptr;
    }
    return nullptr;
}

const char* nameOf(element_type type)
{
    switch (type) {
    case element_type::ARRAY:
        return "array";
    case element_type::OBJECT:
        return "object";
    case element_type::INT64:
    case element_type::UINT64:
    case element_type::DOUBLE:
        return "number";
    case element_type::STRING:
        return "string";
    case element_type::BOOL:
        return "boolean";
    case element_type::NULL_VALUE:
        return "null";
    }
    return "null";
}

template <typename Value>
std::optional<Value> valueOf(const simdjson::simdjson_result<Value>& result)
{
    return result.error() == simdjson::SUCCESS ? std::optional(result.value_unsafe())
                                               : std::nullopt;
}

// The other way is in ParsedJson::root().
element elementOf(const std::array<std::uint64_t, 2>& bits)
{
    return std::bit_cast<element>(bits);
}

}  // namespace

bool JsonView::isNull() const
{
    return m_json != nullptr ? m_json->is_null() : elementOf(m_element).is_null();
}

bool JsonView::isList() const
{
    return m_json != nullptr ? m_json->is_array() : elementOf(m_element).is_array();
}

bool JsonView::isObject() const
{
    return m_json != nullptr ? m_json->is_object() : elementOf(m_element).is_object();
}

std::optional<bool> JsonView::flag() const
{
    if (m_json == nullptr)
        return valueOf(elementOf(m_element).get_bool());
    return m_json->is_boolean() ? std::optional(m_json->get<bool>()) : std::nullopt;
}

std::optional<std::string_view> JsonView::text() const
{
    if (m_json == nullptr)
        return valueOf(elementOf(m_element).get_string());
    return m_json->is_string()
               ? std::optional<std::string_view>(m_json->get_ref<const std::string&>())
               : std::nullopt;
}

std::optional<double> JsonView::number() const
{
    if (m_json == nullptr)
        return valueOf(elementOf(m_element).get_double());
    return m_json->is_number() ? std::optional(m_json->get<double>()) : std::nullopt;
}

std::optional<std::int64_t> JsonView::wholeNumber() const
{
    if (m_json == nullptr)
        return valueOf(elementOf(m_element).get_int64());
    const bool fits = m_json->is_number_integer() &&
                      (!m_json->is_number_unsigned() ||
                       m_json->get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX));
    return fits ? std::optional(m_json->get<std::int64_t>()) : std::nullopt;
}

std::size_t JsonView::size() const
{
    if (m_json != nullptr)
        return m_json->is_structured() ? m_json->size() : 0;
    const element value = elementOf(m_element);
    if (value.is_array())
        return value.get_array().value_unsafe().size();
    return value.is_object() ? value.get_object().value_unsafe().size() : 0;
}

std::optional<JsonView> JsonView::member(std::string_view name) const
{
    if (m_json == nullptr) {
        const auto found = valueOf(elementOf(m_element).at_key(name));
        return found ? std::optional(JsonView(std::bit_cast<Element>(*found))) : std::nullopt;
    }
    const auto found = m_json->find(name);
    return found == m_json->end() ? std::nullopt : std::optional(JsonView(*found));
}

void JsonView::eachItem(void* called, ItemCall call) const
{
    if (!isList())
        return;
    if (m_json != nullptr) {
        for (const Json& item : *m_json)
            call(called, item);
        return;
    }
    const simdjson::dom::array list = elementOf(m_element).get_array().value_unsafe();
    for (const element item : list)
        call(called, JsonView(std::bit_cast<Element>(item)));
}

void JsonView::eachMember(void* called, MemberCall call) const
{
    if (!isObject())
        return;
    if (m_json != nullptr) {
        for (const auto& [name, value] : m_json->get_ref<const Json::object_t&>())
            call(called, name, value);
        return;
    }
    const simdjson::dom::object object = elementOf(m_element).get_object().value_unsafe();
    for (const auto& [name, value] : object)
        call(called, name, JsonView(std::bit_cast<Element>(value)));
}

const char* JsonView::typeName() const
{
    return m_json != nullptr ? m_json->type_name() : nameOf(elementOf(m_element).type());
}

Json JsonView::json() const
{
    return m_json != nullptr ? *m_json : copyOf(elementOf(m_element));
}

}  // namespace qs::core
