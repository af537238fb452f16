#include "core/measure/output_record.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>

namespace qs::core {

namespace {

constexpr std::int64_t kMostPictures = 100'000;

bool inOrder(const std::vector<OutputRecord>& outputs)
{
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].picture != static_cast<int>(i))
            return false;
    }
    return true;
}

// The numbers of so many pictures; complains of others.
std::vector<int> picturesFrom(JsonFields& fields, std::size_t count)
{
    std::vector<int> pictures;
    const JsonView* list = fields.member("pictures");
    if (list == nullptr) {
        for (std::size_t i = 0; i < count; ++i)
            pictures.push_back(static_cast<int>(i));
        return pictures;
    }
    if (list->isList())
        list->forEachItem([&](const JsonView& each) {
            const auto number = each.wholeNumber();
            if (number && *number >= 0 && *number <= kMostPictures)
                pictures.push_back(static_cast<int>(*number));
        });
    if (pictures.size() != count) {
        fields.complain("pictures", "expected as many numbers from 0 as hashes");
        pictures.assign(count, 0);
    }
    return pictures;
}

}  // namespace

Json toJson(const std::vector<OutputRecord>& outputs)
{
    Json hashes = Json::array();
    Json pictures = Json::array();
    Json files = Json::array();
    for (const OutputRecord& output : outputs) {
        hashes.push_back(output.sha256);
        pictures.push_back(output.picture);
        files.push_back(output.file);
    }
    Json json{{"sha256", std::move(hashes)}};
    if (!inOrder(outputs))
        json["pictures"] = std::move(pictures);
    if (std::any_of(outputs.begin(), outputs.end(),
                    [](const OutputRecord& output) { return !output.file.empty(); }))
        json["files"] = std::move(files);
    return json;
}

std::vector<OutputRecord> outputsFromJson(JsonFields& parent, std::string_view name,
                                          std::vector<JsonIssue>& issues)
{
    const JsonView* json = parent.member(name);
    if (json == nullptr)
        return {};
    JsonFields fields(*json, parent.pathOf(name), issues);
    const std::vector<std::string> hashes = fields.textList("sha256");
    const std::vector<int> pictures = picturesFrom(fields, hashes.size());
    std::vector<std::string> files = fields.textList("files");
    if (!files.empty() && files.size() != hashes.size())
        fields.complain("files", "expected as many as hashes");
    files.resize(hashes.size());
    std::vector<OutputRecord> outputs;
    for (std::size_t i = 0; i < hashes.size(); ++i)
        outputs.push_back({pictures[i], std::move(files[i]), hashes[i]});
    fields.finish();
    return outputs;
}

}  // namespace qs::core
