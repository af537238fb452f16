#include "core/lower/fused/fused_stage.h"

#include "core/lower/fused/channel_order.h"
#include "core/lower/fused/fused_groups.h"
#include "core/lower/fused/group_rows.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/made_once.h"
#include "core/lower/fused/matrix_product.h"
#include "core/lower/fused/product_groups.h"
#include "core/lower/fused/product_source.h"
#include "core/lower/fused/row_maxima.h"
#include "core/lower/fused/short_attention.h"
#include "core/lower/fused/skinny_source.h"
#include "core/lower/fused/token_order.h"
#include "core/lower/fused/without_repeats.h"
#include "core/lower/region_assembly.h"

#include <algorithm>
#include <map>
#include <optional>

namespace qs::core {

namespace {

constexpr const char* kFusedPart = "fused";
constexpr std::size_t kFewestOperations = 2;  // of a kernel that others are divided into

enum class Work { Rows, Product, Attention };

class Fuser final
{
public:
    Fuser(const Graph& graph, const DeviceDescription& device, ProductUnits most)
        : m_source(graph),
          m_device(device),
          m_mostUnits(most),
          m_uses(graph),
          m_order(graph),
          m_views(m_uses, m_order, false),
          m_assembly(graph)
    {
    }

    // Of operations that are no views: how many kernels compute, and how many run beside them.
    [[nodiscard]] std::size_t fused() const { return m_fused; }
    [[nodiscard]] std::size_t beside() const { return m_beside; }

    [[nodiscard]] Result<RegionStage> fuse(AttentionKernel attention)
    {
        leavePaddingOut();
        QS_TRY(std::vector<NodeGroup> groups, computedProducts());
        for (const NodeGroup& product : groups)
            m_works[product.front()] = Work::Product;
        if (attention == AttentionKernel::Auto) {
            for (NodeGroup& each : attentionGroups(m_uses, m_order, m_device)) {
                m_works[each.front()] = Work::Attention;
                groups.push_back(std::move(each));
            }
        }
        const std::vector<NodeGroup> between = fusedGroups(m_uses, m_order, groups);
        for (const NodeGroup& each : between)
            m_works[each.front()] = Work::Rows;
        groups.insert(groups.end(), between.begin(), between.end());
        std::vector<std::optional<std::size_t>> groupOf(m_source.nodes.size());
        for (std::size_t i = 0; i < groups.size(); ++i) {
            for (const std::size_t node : groups[i])
                groupOf[node] = i;
        }
        m_views.keepResults(m_uses, groupOf);
        const Arrangement arrangement = arrange(m_source, m_order, groups);
        for (const NodeGroup& group : arrangement.order)
            QS_RETURN_IF_ERROR(write(group));
        return m_assembly.finish(m_views);
    }

private:
    // What is no kernel as a whole may be several, one after the other: where results have several
    // sizes, or memory is written in a way that kernels don't have.
    [[nodiscard]] Status write(const NodeGroup& group)
    {
        const auto found = m_works.find(group.front());
        if (found == m_works.end())
            return keep(group);
        const Work work = found->second;
        NodeGroup first = group;
        QS_TRY(bool isCalled, call(first, work));
        while (!isCalled && work == Work::Rows && computing(first) > kFewestOperations) {
            first.pop_back();
            QS_TRY(isCalled, call(first, work));
        }
        if (!isCalled)
            return keep(group);
        const NodeGroup rest(group.begin() + static_cast<std::ptrdiff_t>(first.size()),
                             group.end());
        if (computing(rest) < kFewestOperations)
            return keep(rest);
        m_works[rest.front()] = work;
        return write(rest);
    }

    // False where no kernel computes it.
    [[nodiscard]] Result<bool> call(const NodeGroup& group, Work work)
    {
        RegionWriter writer(m_uses, m_views, group);
        QS_TRY(Graph program, writer.write());
        if (!hasKernel(program, work))
            return false;
        m_assembly.call(writer,
                        {kFusedPart, {}, std::move(program), m_source.nodes[group.front()].module});
        m_fused += computing(group);
        return true;
    }

    // As operations of PyTorch.
    Status keep(const NodeGroup& group)
    {
        for (const std::size_t node : group)
            m_assembly.keep(node);
        m_beside += computing(group);
        return {};
    }

    // The library has no product of so few rows: of a kernel's only the composition adds some.
    void leavePaddingOut()
    {
        for (std::size_t i = 0; i < m_source.nodes.size(); ++i) {
            if (const auto padding = paddingOf(m_uses, i); padding && hasUnits(i))
                m_views.recompute(m_source.nodes[padding->node].outputs.front());
        }
    }

    [[nodiscard]] bool hasUnits(std::size_t product) const
    {
        return productChip(m_device, m_mostUnits)
            .multiplies(productCall(m_source, m_source.nodes[product])->type);
    }

    // What follows a product that no kernel computes belongs into the next kernel.
    [[nodiscard]] Result<std::vector<NodeGroup>> computedProducts()
    {
        std::vector<NodeGroup> computed;
        for (NodeGroup& each : productGroups(m_uses, m_order, m_device, m_mostUnits)) {
            QS_TRY(bool isComputed, isComputedProduct(each));
            if (!isComputed && keepsRows(each)) {
                QS_TRY(isComputed, isComputedProduct(each));
            }
            if (isComputed)
                computed.push_back(std::move(each));
        }
        return computed;
    }

    [[nodiscard]] Result<bool> isComputedProduct(const NodeGroup& group) const
    {
        RegionWriter writer(m_uses, m_views, group);
        QS_TRY(const Graph program, writer.write());
        return hasKernel(program, Work::Product);
    }

    // Rows of a product may lie apart behind views, as those of several heads do: then it reads
    // what the last view gives. True where that is another input than before.
    [[nodiscard]] bool keepsRows(const NodeGroup& group)
    {
        for (const std::size_t index : group) {
            const Node& node = m_source.nodes[index];
            if (!multipliesMatrices(m_source, node))
                continue;
            const ValueId rows = productCall(m_source, node)->a;
            const bool isViewed = m_views.contains(rows);
            m_views.keep(rows);
            return isViewed;
        }
        return false;
    }

    [[nodiscard]] bool hasKernel(const Graph& program, Work work) const
    {
        const InputStrides strides = denseInputs(program);
        switch (work) {
        case Work::Product:
            return skinnySources(program, strides, Division::Exact, 1, false, {}).ok() ||
                   productSource(program, strides, Division::Exact,
                                 productChip(m_device, m_mostUnits))
                       .ok();
        case Work::Attention:
            return shortAttention(program, strides).has_value();
        case Work::Rows:
            break;
        }
        return kernelSource(program, strides, Division::Exact).ok();
    }

    [[nodiscard]] std::size_t computing(const NodeGroup& group) const
    {
        return static_cast<std::size_t>(
            std::count_if(group.begin(), group.end(), [this](std::size_t node) {
                return !isView(m_source.nodes[node]) && !m_views.makes(m_source.nodes[node]);
            }));
    }

    const Graph& m_source;
    const DeviceDescription& m_device;
    ProductUnits m_mostUnits;
    GraphUses m_uses;
    NodeOrder m_order;
    RecomputedValues m_views;
    std::map<std::size_t, Work> m_works;  // by the first operation of a group
    std::size_t m_fused = 0;
    std::size_t m_beside = 0;
    RegionAssembly m_assembly;
};

bool padsRows(const Graph& graph)
{
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
        return node.operation->name == "aten::constant_pad_nd";
    });
}

}  // namespace

Result<RegionStage> fusedStage(const StageProgram& stage, const DeviceDescription& device,
                               AttentionKernel attention)
{
    StageProgram ordered = stage;
    QS_TRY(ordered.graph, inTokenOrder(stage.graph));
    QS_TRY(ReferenceStage reference, referenceStage(ordered, device));
    QS_TRY(const Graph byRows, byRowMaxima(reference.graph));
    QS_TRY(const Graph groupRows, withGroupRows(byRows));
    QS_TRY(const Graph inOrder, inChannelOrder(groupRows, device));
    QS_TRY(MadeOnce split, madeOnce(withoutRepeats(inOrder)));
    const Graph& graph = split.rest;
    Fuser fuser(graph, device, mostUnits(stage.compile));
    QS_TRY(RegionStage fused, fuser.fuse(attention));
    fused.once = std::move(split.once);
    fused.notes = std::move(reference.notes);
    if (!padsRows(fused.graph))
        std::erase_if(fused.notes,
                      [](const Note& each) { return each.code == NoteCode::RowsPadded; });
    fused.notes.push_back(
        device.kind == DeviceKind::Cpu
            ? Note{NoteCode::ReferenceFused, {stage.name}}
            : Note{NoteCode::FusedKernels,
                   {stage.name, static_cast<double>(fused.programOf.size()),
                    static_cast<double>(fuser.fused()), static_cast<double>(fuser.beside())}});
    return fused;
}

std::vector<std::vector<bool>> weightInputs(const RegionStage& stage)
{
    std::vector<std::vector<bool>> weights;
    for (const RegionProgram& program : stage.programs)
        weights.emplace_back(program.graph.inputs.size(), true);
    std::size_t call = 0;
    for (const Node& node : stage.graph.nodes) {
        if (node.operation->name != kQsRegion)
            continue;
        const std::vector<ValueId> read = node.inputs();
        std::vector<bool>& ofProgram = weights[stage.programOf[call++]];
        for (std::size_t i = 0; i < read.size(); ++i) {
            if (stage.graph.value(read[i]).kind != ValueKind::Weight)
                ofProgram[i] = false;
        }
    }
    return weights;
}

}  // namespace qs::core
