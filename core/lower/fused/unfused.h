#pragma once

#include "core/base/enum_names.h"
#include "core/graph/graph_uses.h"
#include "core/lower/fused/product_units.h"

#include <cstddef>

namespace qs::core {

// Why PyTorch runs an operation of a fused stage.
enum class Unfused {
    No,         // a kernel of ours does, or nothing is known
    Library,    // a product of many rows of 16 bits, or tried: the library multiplies as fast
    Units,      // a product of a type that kernels have no units for on this GPU
    Shape,      // a product that is empty, or rows or columns that are no whole pieces
    Layout,     // operands of a product that lie in another way than kernels read them
    Attention,  // attention, but for that over few keys on Hopper
    Rows,       // the largest of a whole tensor whose rows are too many, too short or too long
    Operation,  // there is no kernel for it
    Alone,      // nothing that a kernel takes stands beside it: a launch either way
    Group,      // no kernel takes it with what it stands beside
    FellBack,   // its kernel could not be built or launched here
};
inline constexpr auto kUnfusedNames = enumNames<Unfused>({{Unfused::No, ""},
                                                          {Unfused::Library, "library"},
                                                          {Unfused::Units, "units"},
                                                          {Unfused::Shape, "shape"},
                                                          {Unfused::Layout, "layout"},
                                                          {Unfused::Attention, "attention"},
                                                          {Unfused::Rows, "rows"},
                                                          {Unfused::Operation, "operation"},
                                                          {Unfused::Alone, "alone"},
                                                          {Unfused::Group, "group"},
                                                          {Unfused::FellBack, "fell_back"}});

// What keeps kernels from a product, however its operands lie; No where nothing does.
[[nodiscard]] Unfused productLimit(const Graph& graph, const Node& node, const ProductCall& call,
                                   const ProductChip& chip);

// Of a node that is no view and in no kernel, in the graph that a stage is once it is fused.
// `chip`: of the device; a processor's has no units.
[[nodiscard]] Unfused whyUnfused(const GraphUses& uses, std::size_t index, const ProductChip& chip);

}  // namespace qs::core
