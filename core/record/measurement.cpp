#include "core/record/measurement.h"

#include "core/base/clean_text.h"
#include "core/sweep/cell_member.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cfloat>

namespace qs::core {

namespace {

constexpr int kMostRounds = 1'000'000;
constexpr int kMostPictures = 100'000;
constexpr int kMostPixels = 1 << 24;

std::string requiredText(JsonFields& fields, std::string_view name)
{
    static_cast<void>(fields.requiredMember(name));
    return fields.text(name);
}

int requiredInteger(JsonFields& fields, std::string_view name, int highest)
{
    static_cast<void>(fields.requiredMember(name));
    return static_cast<int>(fields.integer(name, 0, 0, highest));
}

// From 1 in files, from 0 here.
int ordinal(JsonFields& fields, std::string_view name)
{
    static_cast<void>(fields.requiredMember(name));
    return static_cast<int>(fields.integer(name, 1, 1, kMostRounds)) - 1;
}

double requiredNumber(JsonFields& fields, std::string_view name, double lowest)
{
    static_cast<void>(fields.requiredMember(name));
    return fields.number(name, 0.0, lowest, DBL_MAX);
}

// A mean of values that end at 1 may be rounded to a little more.
double upToOne(JsonFields& fields, std::string_view name, double lowest)
{
    return std::min(fields.number(name, 0.0, lowest, 1.0 + 1e-9), 1.0);
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

Json toJson(const PictureQuality& quality)
{
    Json json{{"cell", quality.cellId},
              {"reference", quality.referenceId},
              {"picture", quality.picture},
              {"ssim", quality.ssim},
              {"psnr_db", quality.psnr ? Json(*quality.psnr) : Json()},
              {"maximum_difference", quality.maximumDifference},
              {"mean_difference", quality.meanDifference},
              {"relative_l2", quality.relativeL2 ? Json(*quality.relativeL2) : Json()},
              {"worst_tile_x", quality.worstTileX},
              {"worst_tile_y", quality.worstTileY},
              {"worst_tile_ssim", quality.worstTileSsim}};
    if (!quality.environmentId.empty())
        json["environment"] = quality.environmentId;
    if (quality.msSsim)
        json["ms_ssim"] = *quality.msSsim;
    if (quality.flip)
        json["flip"] = *quality.flip;
    if (quality.cosineSimilarity)
        json["cosine_similarity"] = *quality.cosineSimilarity;
    return json;
}

Result<PictureQuality> pictureQualityFromJson(const JsonView& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$quality", issues);
    static_cast<void>(fields.has("type"));
    PictureQuality quality;
    quality.cellId = requiredText(fields, "cell");
    quality.environmentId = fields.text("environment");
    quality.referenceId = requiredText(fields, "reference");
    quality.picture = requiredInteger(fields, "picture", kMostPictures);
    quality.ssim = requiredNumber(fields, "ssim", -DBL_MAX);
    if (const JsonView* psnr = fields.member("psnr_db"); psnr != nullptr && !psnr->isNull())
        quality.psnr = fields.number("psnr_db", 0.0, -DBL_MAX, DBL_MAX);
    quality.maximumDifference = requiredNumber(fields, "maximum_difference", 0.0);
    quality.meanDifference = requiredNumber(fields, "mean_difference", 0.0);
    quality.relativeL2.reset();
    if (const JsonView* relative = fields.requiredMember("relative_l2");
        relative != nullptr && !relative->isNull())
        quality.relativeL2 = fields.number("relative_l2", 0.0, 0.0, DBL_MAX);
    quality.worstTileX = requiredInteger(fields, "worst_tile_x", kMostPixels);
    quality.worstTileY = requiredInteger(fields, "worst_tile_y", kMostPixels);
    quality.worstTileSsim = requiredNumber(fields, "worst_tile_ssim", -DBL_MAX);
    if (fields.has("ms_ssim"))
        quality.msSsim = upToOne(fields, "ms_ssim", 0.0);
    if (fields.has("flip"))
        quality.flip = upToOne(fields, "flip", 0.0);
    if (fields.has("cosine_similarity"))
        quality.cosineSimilarity = upToOne(fields, "cosine_similarity", -1.0);
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return quality;
}

}  // namespace qs::core
