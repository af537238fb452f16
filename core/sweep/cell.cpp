#include "core/sweep/cell.h"

#include "core/base/sha256.h"
#include "core/base/text_parts.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::core {

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
    // The usual place is left out, of ids as well.
    if (cell.inputs != CellConfig().inputs)
        json["inputs"] = cell.inputs;
    return json;
}

std::string cellId(const CellConfig& cell, const std::string& modelContentId)
{
    return sha256Hex(
        canonicalText(Json{{"configuration", toJson(cell)}, {"model_content", modelContentId}}));
}

}  // namespace qs::core
