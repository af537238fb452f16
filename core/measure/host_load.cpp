#include "core/measure/host_load.h"

#include <nlohmann/json.hpp>

namespace qs::core {

namespace {

constexpr double kMostHostCores = 1e6;

std::optional<double> optionalCores(JsonFields& fields, std::string_view name)
{
    if (!fields.has(name))
        return std::nullopt;
    return fields.number(name, 0.0, 0.0, kMostHostCores);
}

}  // namespace

bool HostLoad::disturbed() const
{
    return othersDuring && *othersDuring >= kDisturbingCores;
}

Json toJson(const HostLoad& load)
{
    Json json{{"cores", load.cores}};
    const auto add = [&](const char* name, const std::optional<double>& value) {
        if (value)
            json[name] = *value;
    };
    add("load_average_before", load.averageBefore);
    add("others_cores_before", load.othersBefore);
    add("others_cores_during", load.othersDuring);
    return json;
}

HostLoad hostLoadFromJson(const JsonView& json, const std::string& path,
                          std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    HostLoad load;
    load.cores = static_cast<int>(fields.integer("cores", 0, 0, 1'000'000));
    load.averageBefore = optionalCores(fields, "load_average_before");
    load.othersBefore = optionalCores(fields, "others_cores_before");
    load.othersDuring = optionalCores(fields, "others_cores_during");
    fields.finish();
    return load;
}

}  // namespace qs::core
