#include "core/record/measurement.h"

#include "core/base/clean_text.h"
#include "core/sweep/cell_member.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cfloat>

namespace qs::core {

namespace {

constexpr int kMostRounds = 1'000'000;

std::string requiredText(JsonFields& fields, std::string_view name)
{
    static_cast<void>(fields.requiredMember(name));
    return fields.text(name);
}

// From 1 in files, from 0 here.
int ordinal(JsonFields& fields, std::string_view name)
{
    static_cast<void>(fields.requiredMember(name));
    return static_cast<int>(fields.integer(name, 1, 1, kMostRounds)) - 1;
}

}  // namespace

Json toJson(const Measurement& row)
{
    Json json{{"cell", row.cellId},
              {"environment", row.environmentId},
              {"round", row.round + 1},
              {"attempt", row.attempt + 1},
              {"config", toJson(row.config)},
              {"result", toJson(row.result)},
              {"started_at", row.startedAt},
              {"duration_s", row.durationSeconds},
              {"log_tail", cleanText(row.logTail)}};
    if (row.failure)
        json["failure"] = toJson(*row.failure);
    return json;
}

Result<Measurement> measurementFromJson(const JsonView& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$row", issues);
    static_cast<void>(fields.has("type"));
    Measurement row;
    row.cellId = requiredText(fields, "cell");
    row.environmentId = requiredText(fields, "environment");
    row.round = ordinal(fields, "round");
    row.attempt = ordinal(fields, "attempt");
    if (const JsonView* config = fields.requiredMember("config"))
        row.config = cellFromJson(*config, fields.pathOf("config"), issues);
    if (const JsonView* failure = fields.member("failure"))
        row.failure = failureFromJson(*failure, fields.pathOf("failure"), issues);
    const JsonView* result = fields.requiredMember("result");
    row.startedAt = fields.text("started_at");
    row.durationSeconds = fields.number("duration_s", 0.0, 0.0, DBL_MAX);
    row.logTail = fields.text("log_tail");
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    auto parsed = cellResultFromJson(*result);
    if (!parsed.ok())
        return parsed.error().within("$row.result");
    row.result = std::move(parsed).value();
    return row;
}

}  // namespace qs::core
