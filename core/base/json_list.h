#pragma once

#include "core/base/json.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace qs::core {

// Calls read(fields) for each element of the list of objects, which adds it to `values`. A run may
// have a hundred thousand of these lists: they take no more place than they need.
template <typename Value, typename Read>
void forEachObject(JsonFields& parent, std::string_view name, std::vector<JsonIssue>& issues,
                   std::vector<Value>& values, const Read& read)
{
    const JsonView* list = parent.member(name);
    if (list == nullptr)
        return;
    if (!list->isList()) {
        parent.complain(name, "expected a list");
        return;
    }
    values.reserve(list->size());
    std::size_t place = 0;
    list->forEachItem([&](const JsonView& each) {
        JsonFields fields(each, parent, name, place++, issues);
        read(fields);
        fields.finish();
    });
}

}  // namespace qs::core
