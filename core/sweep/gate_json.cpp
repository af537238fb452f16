#include "core/sweep/gate.h"
#include "core/sweep/limited_list.h"

#include <nlohmann/json.hpp>

namespace qs::core {

void readGateConditions(JsonFields& fields, Gate& gate)
{
    for (const char* name : {"device", "model", "precision", "layers"}) {
        if (fields.find(name) == nullptr)
            continue;
        const Status status = setGateCondition(gate, name, fields.text(name));
        if (!status.ok())
            fields.complain(name, status.error().message);
    }
    if (fields.find("batch") != nullptr)
        gate.batch = fields.integer("batch", 1, 1, INT32_MAX);
}

void writeGateConditions(const Gate& gate, Json& object)
{
    if (!gate.device.empty())
        object["device"] = gate.device;
    if (!gate.model.empty())
        object["model"] = gate.model;
    if (!gate.precision.empty())
        object["precision"] = gate.precision;
    if (!gate.layers.empty())
        object["layers"] = gate.layers;
    if (gate.batch)
        object["batch"] = *gate.batch;
}

namespace {

Gate gateFromObject(const Json& json, const std::string& path, std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    Gate gate;
    const std::string expect = fields.text("expect");
    if (fields.require("expect") != nullptr) {
        Result<Gate> read = gateFromText(expect);
        if (!read.ok())
            fields.complain("expect", read.error().message);
        else
            gate = std::move(read).value();
    }
    readGateConditions(fields, gate);
    fields.finish();
    return gate;
}

}  // namespace

std::vector<Gate> gatesFromJson(const Json& json, const std::string& path,
                                std::vector<JsonIssue>& issues)
{
    std::vector<Gate> gates;
    if (!isListWithin(json, kMostGates, "gates", path, issues))
        return gates;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string place = path + "[" + std::to_string(i) + "]";
        if (!json[i].is_string()) {
            gates.push_back(gateFromObject(json[i], place, issues));
            continue;
        }
        Result<Gate> gate = gateFromText(json[i].get<std::string>());
        if (gate.ok())
            gates.push_back(std::move(gate).value());
        else
            issues.push_back({place, gate.error().message});
    }
    return gates;
}

Json gatesToJson(const std::vector<Gate>& gates)
{
    Json list = Json::array();
    for (const Gate& gate : gates) {
        if (!gate.hasConditions()) {
            list.push_back(expectationText(gate));
            continue;
        }
        Json object{{"expect", expectationText(gate)}};
        writeGateConditions(gate, object);
        list.push_back(std::move(object));
    }
    return list;
}

}  // namespace qs::core
