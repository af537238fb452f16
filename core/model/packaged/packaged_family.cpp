#include "core/model/packaged/packaged_family.h"

#include <algorithm>
#include <utility>

namespace qs::core::packaged {

namespace {

bool isImage(const DeclaredInput& input)
{
    constexpr std::size_t kRank = 4;
    constexpr std::int64_t kColors = 3;
    return isFloating(input.dtype) && input.shape.size() == kRank && input.shape[1] == kColors;
}

// That of the first input which has several dimensions, as of an exported program.
std::int64_t fixedBatchOf(const std::vector<DeclaredInput>& inputs)
{
    const auto first = std::find_if(inputs.begin(), inputs.end(), [](const DeclaredInput& each) {
        return each.shape.size() > 1;
    });
    return first == inputs.end() ? 1 : first->shape.front();
}

// Whether its first size is the batch; `fixed`: what that is where it has no name, else 0.
bool isBatched(const DeclaredInput& tensor, std::int64_t fixed)
{
    return !tensor.shape.empty() &&
           (fixed > 0 ? tensor.shape.front() == fixed : tensor.batch == std::size_t{0});
}

class PackagedFamily final : public ModelFamily
{
public:
    PackagedFamily(PackagedProgram program, PackageFacts facts) : m_facts(std::move(facts))
    {
        StageInfo stage;
        stage.name = kStage;
        stage.program = std::move(program);
        m_stages.push_back(std::move(stage));
        if (!m_facts.freeBatch())
            m_fixedBatch = fixedBatchOf(m_facts.inputs);
        const auto& outputs = m_facts.outputs;
        // What is given once and not for each sample makes all of a pass one sample.
        if (m_fixedBatch > 0 && std::none_of(outputs.begin(), outputs.end(), [&](const auto& each) {
                return isBatched(each, m_fixedBatch);
            }))
            m_fixedBatch = 1;
        describe();
    }

    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_workload; }

    Status checkShape(const ShapePoint& point) const override
    {
        if (m_fixedBatch > 0 && point.batch != m_fixedBatch)
            return Error{ErrorCode::InvalidArgument,
                         "the package has the fixed batch " + std::to_string(m_fixedBatch) +
                             "; for others compile it with a free batch"};
        if (point.batch < m_workload.batches.lowest)
            return Error{ErrorCode::InvalidArgument, "the package is for a batch of " +
                                                         std::to_string(m_workload.batches.lowest) +
                                                         " and more"};
        return {};
    }

    Result<Graph> buildStage(std::size_t stage, const ShapePoint& point, DType) const override
    {
        QS_ASSERT(stage == 0);
        // The smallest shape has a batch of 1, which a package need not have.
        const std::int64_t batch = std::max(point.batch, m_workload.batches.lowest);
        Graph graph;
        const auto add = [&](const DeclaredInput& tensor, ValueKind kind) {
            graph.values.push_back({tensor.name, tensor.typeFor(batch), kind});
            return static_cast<ValueId>(graph.values.size() - 1);
        };
        Node node;
        node.operation = findOperation(kQsRegion);
        ValueRefs inputs;
        for (const DeclaredInput& input : m_facts.inputs) {
            graph.inputs.push_back(add(input, ValueKind::Input));
            inputs.push_back({graph.inputs.back()});
        }
        node.arguments.push_back({"inputs", std::move(inputs)});
        for (const DeclaredInput& output : m_facts.outputs)
            graph.outputs.push_back(add(output, ValueKind::Intermediate));
        node.outputs = graph.outputs;
        graph.nodes.push_back(std::move(node));
        return graph;
    }

    LayerPlace layerPlace(std::size_t, const std::string&) const override { return {}; }

    Result<FloatArray> present(const FloatArray& output, const ShapePoint& point) const override
    {
        if (!output.shape.empty() && output.shape.front() == point.batch)
            return output;
        FloatArray one = output;
        one.shape.insert(one.shape.begin(), 1);
        return one;
    }

private:
    void describe()
    {
        const auto& inputs = m_facts.inputs;
        m_workload.batches = m_fixedBatch > 0 ? BatchRange{m_fixedBatch, m_fixedBatch}
                                              : BatchRange{m_facts.lowestBatch, 0};
        for (const DeclaredInput& input : inputs) {
            InputSpec spec{.name = input.name, .whole = !isFloating(input.dtype)};
            spec.batched = isBatched(input, m_fixedBatch);
            if (spec.whole) {
                spec.lowest = 0.0;
                spec.highest = 1.0;
            }
            m_workload.inputs.push_back(std::move(spec));
        }
        const bool images = isImage(inputs.front());
        m_workload.unit = images ? WorkUnit::Image : WorkUnit::Sample;
        const bool words = !isFloating(inputs.front().dtype);
        for (const DeclaredInput& output : m_facts.outputs) {
            OutputSpec spec{output.name};
            const bool real = isFloating(output.dtype);
            if (real && words && output.shape.size() == 3)
                spec.kind = OutputKind::Logits;
            else if (real && images && output.shape.size() == 2)
                spec.kind = OutputKind::Classes;
            m_workload.outputs.push_back(std::move(spec));
        }
        m_workload.judged = judgedOutput();
    }

    // The first of numbers for each sample; of a fixed batch, the first of all if need be.
    [[nodiscard]] std::string judgedOutput() const
    {
        const auto& outputs = m_facts.outputs;
        const auto found = std::find_if(outputs.begin(), outputs.end(), [&](const auto& each) {
            return isFloating(each.dtype) && isBatched(each, m_fixedBatch);
        });
        return found == outputs.end() ? outputs.front().name : found->name;
    }

    PackageFacts m_facts;
    std::int64_t m_fixedBatch = 0;  // 0: it is free
    std::vector<StageInfo> m_stages;
    Workload m_workload;
};

}  // namespace

Result<std::shared_ptr<const ModelFamily>> makeFamily(PackagedProgram program, PackageFacts facts)
{
    const auto batched = [](const DeclaredInput& each) { return isBatched(each, 0); };
    if (facts.freeBatch() && std::none_of(facts.outputs.begin(), facts.outputs.end(), batched))
        return Error{ErrorCode::InvalidArgument,
                     "gives nothing whose first size is the batch, so that samples cannot be told "
                     "apart; declare its inputs with fixed sizes"};
    return std::shared_ptr<const ModelFamily>(
        std::make_shared<PackagedFamily>(std::move(program), std::move(facts)));
}

}  // namespace qs::core::packaged
