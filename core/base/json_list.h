#pragma once

#include "core/base/json.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Calls read(fields) for each element of the list of objects, which adds it to `values`. A run may
// have a hundred thousand of these lists: they take no more place than they need.
template <typename Value, typename Read>
void forEachObject(JsonFields& parent, std::string_view name, std::vector<JsonIssue>& issues,
                   std::vector<Value>& values, const Read& read)
{
    const Json* list = parent.find(name);
    if (list == nullptr)
        return;
    if (!list->is_array()) {
        parent.complain(name, "expected a list");
        return;
    }
    values.reserve(list->size());
    for (std::size_t i = 0; i < list->size(); ++i) {
        JsonFields fields((*list)[i], parent.pathOf(name) + "[" + std::to_string(i) + "]", issues);
        read(fields);
        fields.finish();
    }
}

}  // namespace qs::core
