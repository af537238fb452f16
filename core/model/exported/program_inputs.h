#pragma once

#include "core/graph/exported/exported_program.h"
#include "core/model/workload.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core::exported {

// The one stage of such a model.
inline constexpr std::string_view kStage = "program";

// The sizes that programs may have beside their batch; which of them a program has is seen by where
// its symbols stand among the inputs.
[[nodiscard]] std::vector<SizeSpec> sizeSpecs();

// What a program takes and gives: its workload, and which of its symbols is what.
struct ProgramSizes {
    std::string batchSymbol;                     // empty: the batch is fixed
    std::int64_t fixedBatch = 1;                 // where it is
    std::map<std::string, std::string> symbols;  // by the name of the size
    Workload workload;

    // The values of all symbols at a point, whose batch the program has.
    [[nodiscard]] SymbolValues at(const ShapePoint& point) const;
};

// An error for programs with more free sizes than there are names for.
[[nodiscard]] Result<ProgramSizes> programSizes(const ExportedProgram& program);

// Which size each dimension of an input is: "batch", "tokens"; empty: none, or an expression.
[[nodiscard]] std::map<std::string, std::vector<std::string>>
inputDimensions(const ExportedProgram& program, const ProgramSizes& sizes);

// What to write in Python so that the batch is free.
[[nodiscard]] std::string freeBatchLine(const ProgramSizes& sizes);

}  // namespace qs::core::exported
