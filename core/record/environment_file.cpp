#include "core/record/environment_file.h"

#include "core/base/files.h"
#include "core/base/schema_version.h"

#include <nlohmann/json.hpp>

namespace qs::core {

namespace {

constexpr JsonLimits kEnvironmentLimits{.bytes = std::size_t{4} << 20U, .nodes = 200'000};

}  // namespace

Result<std::vector<Environment>> readEnvironments(const FilePlace& file)
{
    QS_TRY(const Json json, readJsonFile(file, kEnvironmentLimits));
    if (const Status fits = checkSchemaVersion(json, kEnvironmentSchemaVersion); !fits.ok())
        return fits.error().within(file.string());
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$", issues);
    static_cast<void>(fields.find("schema_version"));
    const Json* list = fields.require("environments");
    if (list != nullptr && !list->is_array())
        fields.complain("environments", "expected a list");
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, file.string() + ": " + formatIssues(issues)};
    std::vector<Environment> environments;
    for (const Json& each : *list) {
        auto environment = environmentFromJson(each);
        if (!environment.ok())
            return environment.error().within(file.string());
        environments.push_back(std::move(environment).value());
    }
    return environments;
}

std::string environmentsText(const std::vector<Environment>& environments)
{
    Json list = Json::array();
    for (const Environment& environment : environments)
        list.push_back(toJson(environment));
    const Json json{{"schema_version", kEnvironmentSchemaVersion},
                    {"environments", std::move(list)}};
    return jsonText(json, 1) + "\n";
}

Status writeEnvironments(const FilePlace& file, const std::vector<Environment>& environments)
{
    return writeFileAtomically(file, environmentsText(environments));
}

}  // namespace qs::core
