#pragma once

#include "core/device/description.h"
#include "core/graph/graph.h"
#include "core/model/model.h"
#include "core/quant/recipe.h"

#include <string>
#include <vector>

namespace qs::core {

// How a Program is made runnable.
enum class CompileMode {
    None,       // eager: one operation after the other
    CudaGraph,  // the same operations, captured once and replayed
};
[[nodiscard]] std::string_view name(CompileMode mode);
[[nodiscard]] Result<CompileMode> parseCompileMode(std::string_view text);
[[nodiscard]] std::vector<CompileMode> allCompileModes();

// Which implementation of attention PyTorch may choose.
enum class AttentionKernel { Auto, Math, Flash, Efficient, Cudnn };
[[nodiscard]] std::string_view name(AttentionKernel kernel);
[[nodiscard]] Result<AttentionKernel> parseAttentionKernel(std::string_view text);
[[nodiscard]] std::vector<AttentionKernel> allAttentionKernels();

// One stage as concrete operations.
struct StageProgram {
    std::string name;
    // Begins with the casts at the boundary to the stage before. Weights are named as in the
    // checkpoint, or as codesName/scaleName.
    Graph graph;
    // One graph per quantized weight: its only Weight value is the stored weight, its outputs are
    // codes and scale.
    std::vector<Graph> preparations;
    DType workingType = DType::BFloat16;
};

struct Program {
    std::vector<StageProgram> stages;
    std::vector<LayerRow> layers;
    // What deserves a word on the row: padded products, reference paths. Without repeats.
    std::vector<std::string> notes;
};

struct LoweringRequest {
    Recipe recipe;
    ShapePoint shape;
    DeviceDescription device;
};

// Model + recipe + shapes + device -> operations. Nothing is folded or fused. The shape must fit
// the family; whether the device can run the result is answered by core/sweep/validity.h.
[[nodiscard]] Result<Program> lower(const ModelFamily& family, const LoweringRequest& request);

// Graph of a stage with `qs::linear` nodes at the matched layers, before schemes are expanded; for
// layer views.
[[nodiscard]] Graph markLayers(Graph graph, std::size_t stage, const std::vector<LayerRow>& layers);

}  // namespace qs::core
