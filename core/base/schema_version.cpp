#include "core/base/schema_version.h"

#include "core/base/excerpt.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace qs::core {

Status checkSchemaVersion(const Json& json, int known)
{
    const Json found = json.is_object() ? json.value("schema_version", Json()) : Json();
    if (found.is_number_integer() && found == known)
        return {};
    const std::string version =
        found.is_null() ? "no schema version" : "schema version " + excerpt(jsonText(found));
    return Error{ErrorCode::Unsupported,
                 fmt::format("{}, but this program reads version {}", version, known)};
}

}  // namespace qs::core
