#include "core/sweep/limited_list.h"

#include <nlohmann/json.hpp>

namespace qs::core {

bool isListWithin(const Json& json, std::size_t most, std::string_view what,
                  const std::string& path, std::vector<JsonIssue>& issues)
{
    if (!json.is_array())
        issues.push_back({path, std::string("expected a list, found ") + json.type_name()});
    else if (json.size() > most)
        issues.push_back({path, "has " + std::to_string(json.size()) + " " + std::string(what) +
                                    "; at most " + std::to_string(most) + " are possible"});
    return json.is_array() && json.size() <= most;
}

}  // namespace qs::core
