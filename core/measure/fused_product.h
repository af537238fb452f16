#pragma once

#include "core/base/json.h"
#include "core/lower/fused/pass_report.h"

#include <string>
#include <vector>

namespace qs::core {

// What a cell that is fused computes the product of a layer in.
struct FusedProduct {
    std::string kernel = {};  // "qs_product_int8_128x96", "aten::linear"; empty: PyTorch's
    // In the kernel, or of PyTorch, the product among them. Empty: the stage ran operation by
    // operation, as it does on a processor.
    std::vector<std::string> operations = {};
    Unfused why = Unfused::No;

    bool operator==(const FusedProduct&) const = default;
};

[[nodiscard]] Json toJson(const std::vector<FusedProduct>& products);
// The list "fused".
[[nodiscard]] std::vector<FusedProduct> fusedFromJson(JsonFields& layer,
                                                      std::vector<JsonIssue>& issues);

}  // namespace qs::core
