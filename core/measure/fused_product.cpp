#include "core/measure/fused_product.h"

#include "core/base/json_list.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace qs::core {

Json toJson(const std::vector<FusedProduct>& products)
{
    Json list = Json::array();
    for (const FusedProduct& each : products) {
        Json one{{"kernel", each.kernel}, {"operations", each.operations}};
        if (each.why != Unfused::No)
            one["why"] = std::string(kUnfusedNames.of(each.why));
        list.push_back(std::move(one));
    }
    return list;
}

std::vector<FusedProduct> fusedFromJson(JsonFields& layer, std::vector<JsonIssue>& issues)
{
    std::vector<FusedProduct> products;
    forEachObject(layer, "fused", issues, products, [&](JsonFields& each) {
        const auto why = kUnfusedNames.find(each.text("why"));
        if (!why)
            each.complain("why", "expected one of " + kUnfusedNames.list());
        products.push_back(
            {each.text("kernel"), each.textList("operations"), why.value_or(Unfused::No)});
    });
    return products;
}

}  // namespace qs::core
