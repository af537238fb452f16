#include "core/sweep/cell.h"

#include "core/base/sha256.h"
#include "core/base/text_parts.h"
#include "core/model/family_registry.h"
#include "core/sweep/cell_member.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::core {

namespace {

void readText(JsonFields& fields, CellConfig& cell, const std::string& name)
{
    if (fields.find(name) == nullptr)
        return;
    const std::string text = fields.text(name, memberText(cell, name));
    if (const Status status = setMember(cell, name, text); !status.ok())
        fields.complain(name, status.error().message);
}

// Those that are named; the usual ones if none is.
void readSizes(JsonFields& fields, CellConfig& cell)
{
    Sizes named;
    for (const SizeSpec& size : knownSizes()) {
        if (fields.find(size.name) != nullptr)
            named.set(size.name, fields.integer(size.name, size.fallback, 1, INT32_MAX));
    }
    if (!named.empty() || fields.text("sizes") == "none")
        cell.sizes = named;
}

}  // namespace

std::string precisionText(const CellConfig& cell)
{
    return joinedWithoutRepeats(cell.precision, '/');
}

bool allStagesAre(const CellConfig& cell, std::string_view scheme)
{
    return !cell.precision.empty() &&
           std::all_of(cell.precision.begin(), cell.precision.end(),
                       [&](const std::string& stage) { return stage == scheme; });
}

std::string weightsKey(const CellConfig& cell)
{
    return cell.model + "|" + cell.device + "|" + precisionText(cell) + "|" + cell.layers + "|" +
           std::to_string(cell.seed);
}

Json toJson(const CellConfig& cell)
{
    Json json{
        {"model", cell.model},   {"device", cell.device},   {"precision", precisionText(cell)},
        {"layers", cell.layers}, {"compile", cell.compile}, {"attention", cell.attention},
        {"batch", cell.batch},   {"seed", cell.seed}};
    for (const NamedSize& size : cell.sizes)
        json[size.name] = size.value;
    if (cell.sizes.empty())
        json["sizes"] = "none";
    // The usual place is left out: cells of before there was a choice keep their ids.
    if (cell.inputs != CellConfig().inputs)
        json["inputs"] = cell.inputs;
    return json;
}

CellConfig cellFromJson(const Json& json, const std::string& path, std::vector<JsonIssue>& issues)
{
    CellConfig cell{.model = "?", .precision = {"bf16"}};
    JsonFields fields(json, path, issues);
    static_cast<void>(fields.require("model"));
    for (const char* name : {"model", "device", "layers", "compile", "attention", "inputs"})
        readText(fields, cell, name);
    if (const Json* precision = fields.find("precision")) {
        if (const auto text = precisionFromJson(*precision, fields.pathOf("precision"), issues))
            QS_ASSERT(setMember(cell, "precision", *text).ok());
    }
    cell.batch = fields.integer("batch", cell.batch, 1, INT32_MAX);
    readSizes(fields, cell);
    cell.seed = fields.integer("seed", cell.seed, 0, INT64_MAX);
    fields.finish();
    return cell;
}

std::string cellId(const CellConfig& cell, const std::string& modelContentId)
{
    return sha256Hex(
        canonicalText(Json{{"configuration", toJson(cell)}, {"model_content", modelContentId}}));
}

}  // namespace qs::core
