#pragma once

#include "core/graph/graph.h"
#include "core/lower/compile_mode.h"
#include "core/lower/fold_batch_norm.h"
#include "core/model/model.h"
#include "core/quant/recipe.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace qs::core {

// Which implementation of attention PyTorch may choose.
enum class AttentionKernel { Auto, Math, Flash, Efficient, Cudnn };
[[nodiscard]] std::string_view name(AttentionKernel kernel);
[[nodiscard]] Result<AttentionKernel> parseAttentionKernel(std::string_view text);
[[nodiscard]] std::vector<AttentionKernel> allAttentionKernels();

// One stage as concrete operations.
struct StageProgram {
    std::string name;
    // Begins with the casts at the boundary to the stage before. Matched layers are qs::linear and
    // qs::conv2d nodes that carry their scheme, until the runner of the compile mode expands them
    // (core/lower/reference.h) or has kernels for them.
    Graph graph;
    // What becomes of weights before anything else; see core/lower/fold_batch_norm.h.
    std::vector<Folding> foldings;
    // One graph per quantized weight that no solver turns: it reads the weight, and the statistic
    // where the scheme has one; its outputs are what the scheme stores instead.
    std::vector<Graph> preparations;
    // Of these weights those that other operations read as they are: they stay.
    std::set<std::string> keptWeights;
    std::int64_t runs = 1;  // in one pass, in a row
    DType workingType = DType::BFloat16;
    CompileMode compile = eagerMode();
    // A compiled program: its graph is one region that nobody looks into.
    bool opaque = false;
};

struct Program {
    // Without those at the end that a pass never runs, as a decode where nothing is generated.
    std::vector<StageProgram> stages;
    std::vector<LayerRow> layers;
    std::string judged;  // the output that quality is told of
    // See Workload::judgedSteps().
    std::vector<std::string> judgedSteps = {};
};

// Whether any stage runs in another mode than eager.
[[nodiscard]] bool anyCompiled(const Program& program);
// Whether any stage is compiled into a package.
[[nodiscard]] bool anyPackaged(const Program& program);

struct LoweringRequest {
    Recipe recipe;
    ShapePoint shape;
    std::vector<CompileMode> compile;  // one per stage; empty: eager
};

// Model + recipe + shapes + compile modes -> operations. Nothing is folded or fused. The shape must
// fit the family; whether a device can run the result is answered by core/sweep/validity.h.
[[nodiscard]] Result<Program> lower(const ModelFamily& family, const LoweringRequest& request);

// Graph of a stage with nodes of ours at the matched layers that their scheme composes.
[[nodiscard]] Graph markLayers(Graph graph, std::size_t stage, const std::vector<LayerRow>& layers);

// Inputs that arrive in another type than the graph says are cast to it.
[[nodiscard]] Result<Graph> castInputs(const Graph& graph,
                                       const std::map<std::string, DType>& arriving);

// Attention in that type with its result cast back, as autocast runs it.
[[nodiscard]] Result<Graph> narrowAttention(const Graph& graph, DType type);

}  // namespace qs::core
