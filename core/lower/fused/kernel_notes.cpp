#include "core/lower/fused/kernel_notes.h"

#include "core/lower/fused/followers.h"
#include "core/lower/fused/skinny_product.h"
#include "core/lower/fused/unfused.h"

#include <algorithm>
#include <map>
#include <string>

namespace qs::core {

namespace {

std::string shapeText(const ProductCall& call)
{
    if (!hasElements(call))
        return "empty";
    if (!hasWholeColumns(call))
        return "outputs are no multiple of " + std::to_string(kFinishedAtOnce);
    return "inputs are no multiple of " +
           std::to_string(hasWholeRows(call) ? kByteCodes : kPitchBytes / elementBytes(call.type));
}

// A product of 16 bits with many rows in front of a gate: only of these kernels take some.
std::string whyNoGate(const GraphUses& uses, const NodeOrder& order, std::size_t index,
                      const ProductCall& call)
{
    const ProductGroup group =
        withFollowers(uses, order, std::vector<bool>(uses.graph().nodes.size()), index);
    if (!group.isGate && !group.isUnevenGate)
        return {};
    if (!hasElements(call) || !hasWholeColumns(call) || !hasWholeRows(call))
        return shapeText(call);
    return group.isGate ? std::string()
                        : "halves of outputs are no multiple of " + std::to_string(kFinishedAtOnce);
}

// The library multiplies 16 bits as fast where there are many rows but no gate, or no units.
// Nothing of a product that a kernel takes.
std::string whyNotMultiplied(const GraphUses& uses, const NodeOrder& order, std::size_t index,
                             const ProductCall& call, const ProductChip& chip)
{
    const Graph& graph = uses.graph();
    const Unfused limit = productLimit(graph, graph.nodes[index], call, chip);
    const bool isWide = elementBytes(call.type) > 1;
    if (limit == Unfused::Shape)
        return shapeText(call);
    if (limit == Unfused::Library && chip.multiplies(call.type))
        return whyNoGate(uses, order, index, call);
    if (isWide) {
        const bool isLeft =
            limit != Unfused::Library && !readsWholeCodes(call) &&
            !codesOf(uses, order, std::vector<bool>(graph.nodes.size()), index).empty();
        return isLeft ? shapeText(call) : std::string();
    }
    if (limit == Unfused::Units)
        return chip.units == ProductUnits::None
                   ? "products in kernels need compute capability 8.0 to 9.0"
                   : "products of float8 in kernels need compute capability 8.9 or 9.0";
    return limit == Unfused::No ? std::string() : "a product of float8 of another kind";
}

// Modules in their order, each once.
std::string modulesText(const std::vector<std::string>& modules)
{
    return modules.size() == 1
               ? modules.front()
               : modules.front() + " and " + std::to_string(modules.size() - 1) + " more";
}

void addNotes(const std::string& stage, const Graph& graph, const ProductChip& chip,
              std::vector<Note>& notes)
{
    const GraphUses uses(graph);
    const NodeOrder order(graph);
    std::map<std::string, std::vector<std::string>> left;  // modules, by why
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto call = productCall(graph, graph.nodes[i]);
        const std::string why =
            call ? whyNotMultiplied(uses, order, i, *call, chip) : std::string();
        if (why.empty())
            continue;
        std::vector<std::string>& modules = left[why];
        if (std::find(modules.begin(), modules.end(), graph.nodes[i].module) == modules.end())
            modules.push_back(graph.nodes[i].module);
    }
    for (const auto& [why, modules] : left)
        notes.push_back({NoteCode::FusedFellBack, {stage, modulesText(modules), why}});
}

bool runsInKernels(const StageProgram& stage, const DeviceDescription& device)
{
    return device.kind == DeviceKind::Cuda && stage.compile->ownKernels;
}

}  // namespace

std::vector<Note> notesOnKernels(const Program& program, const std::vector<ReferenceStage>& stages,
                                 const DeviceDescription& device)
{
    std::vector<Note> notes;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const StageProgram& stage = program.stages[i];
        if (runsInKernels(stage, device))
            addNotes(stage.name, stages[i].graph, productChip(device, mostUnits(stage.compile)),
                     notes);
    }
    return notes;
}

std::vector<Note> notesAsRun(const Program& program, const std::vector<ReferenceStage>& stages,
                             const DeviceDescription& device)
{
    std::vector<Note> notes = notesOf(stages);
    const std::vector<Note> left = notesOnKernels(program, stages, device);
    const bool isAllInKernels =
        left.empty() &&
        std::all_of(program.stages.begin(), program.stages.end(),
                    [&](const StageProgram& stage) { return runsInKernels(stage, device); });
    if (isAllInKernels)
        std::erase_if(notes, [](const Note& each) { return each.code == NoteCode::RowsPadded; });
    notes.insert(notes.end(), left.begin(), left.end());
    for (const StageProgram& stage : program.stages) {
        if (device.kind == DeviceKind::Cpu && stage.compile->ownKernels)
            notes.push_back({NoteCode::ReferenceFused, {stage.name}});
    }
    return notes;
}

}  // namespace qs::core
