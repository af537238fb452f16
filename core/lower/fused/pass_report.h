#pragma once

#include "core/base/enum_names.h"
#include "core/lower/region_program.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// Why a product of a fused stage is PyTorch's.
enum class Unfused {
    No,        // it is not, or it is no product
    Library,   // many rows of 16 bits, which the library multiplies as fast
    Shape,     // empty, or columns that are not whole pieces of what a kernel writes at once
    Layout,    // operands that lie in another way than kernels read them
    FellBack,  // its kernel could not be built or launched here
};
inline constexpr auto kUnfusedNames = enumNames<Unfused>({{Unfused::No, ""},
                                                          {Unfused::Library, "library"},
                                                          {Unfused::Shape, "shape"},
                                                          {Unfused::Layout, "layout"},
                                                          {Unfused::FellBack, "fell_back"}});

// Equal groups of operations that are one kernel, or an operation beside them, wherever it stands.
struct PassEntry {
    std::string module;                        // of the first
    std::vector<std::string> operations = {};  // in order, but views: "linear", "mul"
    int calls = 0;                             // in one run of the stage
    std::optional<std::size_t> program = {};   // of the stage; nothing: PyTorch's
    Unfused why = Unfused::No;

    bool operator==(const PassEntry&) const = default;
};

// What a stage is made of once it is fused: all its operations but views.
[[nodiscard]] std::vector<PassEntry> passReport(const RegionStage& stage);

}  // namespace qs::core
