#include "core/lower/fused/kernel_notes.h"

#include "core/lower/fused/followers.h"
#include "core/lower/fused/matrix_product.h"

#include <map>
#include <string>

namespace qs::core {

namespace {

// Of a product of codes; empty where a kernel takes it.
std::string whyNotMultiplied(const Graph& graph, const Node& node, const ProductCall& call,
                             const DeviceDescription& device)
{
    if (!hasProductUnits(device))
        return "products in kernels need compute capability 9.0";
    if (multipliesMatrices(graph, node))
        return {};
    return call.n % kFinishedAtOnce != 0 ? "columns are no multiple of 8"
                                         : "empty, or a product of float8 of another kind";
}

void addNotes(const std::string& stage, const Graph& graph, const DeviceDescription& device,
              std::vector<Note>& notes)
{
    struct Left {
        std::string module;
        int count = 0;
    };
    std::map<std::string, Left> left;
    for (const Node& node : graph.nodes) {
        const auto call = productCall(graph, node);
        if (!call || elementBytes(call->type) > 1)
            continue;
        const std::string why = whyNotMultiplied(graph, node, *call, device);
        if (why.empty())
            continue;
        Left& of = left[why];
        if (of.count++ == 0)
            of.module = node.module;
    }
    for (const auto& [why, of] : left)
        notes.push_back({NoteCode::FusedFellBack,
                         {stage, of.module,
                          why + (of.count > 1 ? ", " + std::to_string(of.count) + " products"
                                              : std::string())}});
}

}  // namespace

std::vector<Note> notesOnKernels(const Program& program, const std::vector<ReferenceStage>& stages,
                                 const DeviceDescription& device)
{
    std::vector<Note> notes;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        if (device.kind == DeviceKind::Cuda && program.stages[i].compile->ownKernels)
            addNotes(program.stages[i].name, stages[i].graph, device, notes);
    }
    return notes;
}

}  // namespace qs::core
