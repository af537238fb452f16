#include "core/base/json_text_map.h"

#include <nlohmann/json.hpp>

namespace qs::core {

std::map<std::string, std::string> textMap(JsonFields& fields, std::string_view name)
{
    std::map<std::string, std::string> map;
    const Json* json = fields.find(name);
    if (json == nullptr)
        return map;
    if (!json->is_object()) {
        fields.complain(name,
                        std::string("expected an object of strings, found ") + json->type_name());
        return map;
    }
    for (const auto& [key, value] : json->items()) {
        if (value.is_string())
            map[key] = value.get<std::string>();
        else
            fields.complain(std::string(name) + "." + key,
                            std::string("expected a string, found ") + value.type_name());
    }
    return map;
}

}  // namespace qs::core
