#include "core/sweep/picture_settings.h"

#include "core/base/json_enum.h"

#include <nlohmann/json.hpp>

namespace qs::core {

namespace {

constexpr int kMostPictures = 4096;

constexpr auto kCrops =
    enumNames<PictureCrop>({{PictureCrop::Center, "center"}, {PictureCrop::Pad, "pad"}});

}  // namespace

PictureSettings picturesFromJson(const Json& json, const std::string& path,
                                 std::vector<JsonIssue>& issues, PictureSettings settings)
{
    JsonFields fields(json, path, issues);
    settings.source = fields.text("source", settings.source);
    if (settings.source.empty())
        fields.complain("source", "is empty; use \"procedural\", a folder or a file");
    settings.count = static_cast<int>(fields.integer("count", settings.count, 1, kMostPictures));
    settings.crop = readEnum(fields, "crop", kCrops, settings.crop);
    fields.finish();
    return settings;
}

Json toJson(const PictureSettings& settings)
{
    return Json{
        {"source", settings.source}, {"count", settings.count}, {"crop", kCrops.of(settings.crop)}};
}

}  // namespace qs::core
