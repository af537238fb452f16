#include "core/lower/fused/kernel_notes.h"

#include "core/lower/fused/followers.h"
#include "core/lower/fused/product_units.h"

#include <map>
#include <string>

namespace qs::core {

namespace {

// Of a product of codes; empty where a kernel takes it.
std::string whyNotMultiplied(const Graph& graph, const Node& node, const ProductCall& call,
                             const ProductChip& chip)
{
    if (!chip.multiplies(call.type))
        return chip.units == ProductUnits::None
                   ? "products in kernels need compute capability 8.0 to 9.0"
                   : "products of float8 in kernels need compute capability 8.9 or 9.0";
    if (multipliesMatrices(graph, node))
        return {};
    return call.n % kFinishedAtOnce != 0 ? "columns are no multiple of 8"
                                         : "empty, or a product of float8 of another kind";
}

void addNotes(const std::string& stage, const Graph& graph, const ProductChip& chip,
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
        const std::string why = whyNotMultiplied(graph, node, *call, chip);
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
        const CompileMode& mode = program.stages[i].compile;
        if (device.kind == DeviceKind::Cuda && mode->ownKernels)
            addNotes(program.stages[i].name, stages[i].graph, productChip(device, mostUnits(mode)),
                     notes);
    }
    return notes;
}

}  // namespace qs::core
