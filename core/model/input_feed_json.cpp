#include "core/base/json_enum.h"
#include "core/model/input_feed.h"

#include <nlohmann/json.hpp>

namespace qs::core {

namespace {

constexpr std::size_t kMostInputs = 256;

enum class WeightState { Trained, Untrained };
constexpr auto kWeightStates = enumNames<WeightState>(
    {{WeightState::Trained, "trained"}, {WeightState::Untrained, "untrained"}});

void readInputs(const Json& json, const std::string& path, std::vector<JsonIssue>& issues,
                ModelFeeding& feeding)
{
    if (!json.is_object() || json.size() > kMostInputs) {
        issues.push_back({path, "expected an object of at most 256 inputs"});
        return;
    }
    for (const auto& [name, text] : json.items()) {
        const std::string place = path + "." + name;
        if (!text.is_string()) {
            issues.push_back({place, "expected a text such as \"images:range=0..1\""});
            continue;
        }
        auto feed = parseInputFeed(text.get<std::string>());
        if (feed.ok())
            feeding.inputs.emplace(name, std::move(feed).value());
        else
            issues.push_back({place, feed.error().message});
    }
}

}  // namespace

Json toJson(const ModelFeeding& feeding)
{
    Json json = Json::object();
    for (const auto& [name, feed] : feeding.inputs)
        json["inputs"][name] = inputFeedText(feed);
    if (feeding.trained)
        json["weights"] =
            kWeightStates.of(*feeding.trained ? WeightState::Trained : WeightState::Untrained);
    if (!feeding.judged.empty())
        json["output"] = feeding.judged;
    if (feeding.outputKind)
        json["output_kind"] = name(*feeding.outputKind);
    if (!feeding.labels.empty())
        json["labels"] = feeding.labels;
    for (const StageCut& cut : feeding.stages)
        json["stages"].push_back(cut.name + "=" + cut.module);
    return json;
}

ModelFeeding modelFeedingFromJson(const Json& json, const std::string& path,
                                  std::vector<JsonIssue>& issues)
{
    ModelFeeding feeding;
    JsonFields fields(json, path, issues);
    if (const Json* inputs = fields.find("inputs"))
        readInputs(*inputs, fields.pathOf("inputs"), issues, feeding);
    feeding.labels = fields.text("labels");
    if (fields.has("weights"))
        feeding.trained = readEnum(fields, "weights", kWeightStates, WeightState::Untrained) ==
                          WeightState::Trained;
    feeding.judged = fields.text("output");
    if (fields.has("output_kind"))
        feeding.outputKind = readEnum(fields, "output_kind", kOutputKinds, OutputKind::Tensor);
    for (const std::string& stage : fields.textList("stages")) {
        if (const Status added = addStageCut(feeding, stage); !added.ok())
            fields.complain("stages", added.error().message);
    }
    fields.finish();
    return feeding;
}

}  // namespace qs::core
