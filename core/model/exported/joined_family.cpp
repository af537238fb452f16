#include "core/model/exported/joined_family.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

namespace qs::core::exported {

namespace {

constexpr std::string_view kBatch = "batch";

// What inputs of a program are called in the model, those that the program before feeds apart.
struct InputNames {
    std::map<std::string, std::string> fed;    // by the own name: "encoder.output"
    std::map<std::string, std::string> model;  // by the own name
};

std::vector<const Value*> valuesOf(const Graph& graph, const std::vector<ValueId>& ids)
{
    std::vector<const Value*> values;
    for (const ValueId id : ids)
        values.push_back(&graph.value(id));
    return values;
}

std::string givenName(const JoinedPart& part, const std::string& output)
{
    return part.stage + "." + output;
}

class JoinedFamily final : public ModelFamily
{
public:
    JoinedFamily(std::vector<JoinedPart> parts, std::vector<InputNames> names, Workload workload)
        : m_parts(std::move(parts)), m_names(std::move(names)), m_workload(std::move(workload))
    {
        for (const JoinedPart& part : m_parts)
            m_stages.push_back({part.stage, part.family->stages()[0].weights});
    }

    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_workload; }
    Status checkShape(const ShapePoint& point) const override
    {
        const auto points = pointsAt(point);
        return points.ok() ? Status() : Status(points.error());
    }
    Result<Graph> buildStage(std::size_t stage, const ShapePoint& point,
                             DType compute) const override
    {
        // The smallest shape has a batch of 1, which a program need not have.
        ShapePoint possible = point;
        possible.batch = std::max(point.batch, m_workload.batches.lowest);
        QS_TRY(const std::vector<ShapePoint> points, pointsAt(possible));
        QS_TRY(Graph graph, m_parts[stage].family->buildStage(0, points[stage], compute));
        for (const ValueId id : graph.inputs) {
            std::string& name = graph.values[static_cast<std::size_t>(id)].name;
            const InputNames& names = m_names[stage];
            const auto fed = names.fed.find(name);
            name = fed != names.fed.end() ? fed->second : names.model.at(name);
        }
        for (const ValueId id : graph.outputs) {
            std::string& name = graph.values[static_cast<std::size_t>(id)].name;
            if (stage + 1 < m_parts.size())
                name = givenName(m_parts[stage], name);
        }
        return graph;
    }
    LayerPlace layerPlace(std::size_t stage, const std::string& module) const override
    {
        return m_parts[stage].family->layerPlace(0, module);
    }

private:
    // Of each program; those of later ones follow from what the ones before give. Found once for
    // each shape, because that takes building them.
    Result<std::vector<ShapePoint>> pointsAt(const ShapePoint& point) const
    {
        const std::scoped_lock lock(m_mutex);
        const auto key = std::pair(point.batch, point.sizes);
        if (const auto found = m_points.find(key); found != m_points.end())
            return found->second;
        QS_TRY(std::vector<ShapePoint> points, findPoints(point));
        return m_points.emplace(key, std::move(points)).first->second;
    }

    Result<std::vector<ShapePoint>> findPoints(const ShapePoint& point) const
    {
        std::vector<ShapePoint> points;
        Graph before;
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            const JoinedPart& part = m_parts[i];
            ShapePoint own = point;
            if (i > 0)
                takeSizes(i, before, own);
            if (const Status status = part.family->checkShape(own); !status.ok())
                return status.error().within(part.stage);
            auto graph = part.family->buildStage(0, own, DType::Float32);
            if (!graph.ok())
                return graph.error().within(part.stage);
            if (i > 0)
                QS_RETURN_IF_ERROR(checkFed(i, before, graph.value()));
            before = std::move(graph).value();
            points.push_back(std::move(own));
        }
        return points;
    }

    // The output of the program before that feeds that input; null if none does.
    const Value* feeding(std::size_t stage, const Graph& before, const std::string& input) const
    {
        const auto fed = m_names[stage].fed.find(input);
        for (const Value* output : valuesOf(before, before.outputs)) {
            if (fed != m_names[stage].fed.end() &&
                givenName(m_parts[stage - 1], output->name) == fed->second)
                return output;
        }
        return nullptr;
    }

    void takeSizes(std::size_t stage, const Graph& before, ShapePoint& point) const
    {
        for (const auto& [input, sizes] : m_parts[stage].dimensions) {
            const Value* output = feeding(stage, before, input);
            for (std::size_t i = 0; output != nullptr && i < sizes.size(); ++i) {
                if (!sizes[i].empty() && sizes[i] != kBatch && i < output->type.shape.size())
                    point.sizes.set(sizes[i], output->type.shape[i]);
            }
        }
    }

    Status checkFed(std::size_t stage, const Graph& before, const Graph& graph) const
    {
        for (const Value* input : valuesOf(graph, graph.inputs)) {
            const Value* output = feeding(stage, before, input->name);
            if (output != nullptr && output->type != input->type)
                return Error{ErrorCode::InvalidArgument,
                             m_parts[stage].stage + " takes " + toText(input->type) + ", and " +
                                 m_parts[stage - 1].stage + " gives " + toText(output->type)};
        }
        return {};
    }

    std::vector<JoinedPart> m_parts;
    std::vector<InputNames> m_names;
    Workload m_workload;
    std::vector<StageInfo> m_stages;
    mutable std::mutex m_mutex;
    mutable std::map<std::pair<std::int64_t, Sizes>, std::vector<ShapePoint>> m_points;
};

// Equal where the input has no size of its own.
bool takes(const JoinedPart& part, const Value& input, const Value& output)
{
    const auto& shape = input.type.shape;
    if (input.type.dtype != output.type.dtype || shape.size() != output.type.shape.size())
        return false;
    const auto found = part.dimensions.find(input.name);
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool free =
            found != part.dimensions.end() && i < found->second.size() && !found->second[i].empty();
        if (!free && shape[i] != output.type.shape[i])
            return false;
    }
    return true;
}

// The types of all values at the smallest shape, where every program shows its structure.
Result<Graph> smallestGraph(const JoinedPart& part)
{
    return part.family->buildStage(0, part.family->workload().smallestShape(), DType::Float32);
}

std::string typesText(const std::vector<const Value*>& values)
{
    std::string text;
    for (const Value* value : values)
        text += (text.empty() ? "" : ", ") + toText(value->type);
    return text;
}

Result<InputNames> bind(const JoinedPart& part, const JoinedPart& before)
{
    QS_TRY(const Graph graph, smallestGraph(part));
    QS_TRY(const Graph earlier, smallestGraph(before));
    const std::vector<const Value*> outputs = valuesOf(earlier, earlier.outputs);
    InputNames names;
    auto next = outputs.begin();
    for (const Value* input : valuesOf(graph, graph.inputs)) {
        const auto found = std::find_if(
            next, outputs.end(), [&](const Value* output) { return takes(part, *input, *output); });
        if (found == outputs.end()) {
            names.model.emplace(input->name, input->name);
            continue;
        }
        names.fed.emplace(input->name, givenName(before, (*found)->name));
        next = std::next(found);
    }
    if (names.fed.empty())
        return Error{ErrorCode::InvalidArgument,
                     part.stage + " takes " + typesText(valuesOf(graph, graph.inputs)) + ", and " +
                         before.stage + " gives " + typesText(outputs) + ": nothing of it fits"};
    return names;
}

// What later programs need beside what they are fed with.
void addWorkload(const JoinedPart& part, const InputNames& names, Workload& workload)
{
    const Workload& own = part.family->workload();
    std::set<std::string> fedSizes;
    for (const auto& [input, fed] : names.fed) {
        if (const auto found = part.dimensions.find(input); found != part.dimensions.end())
            fedSizes.insert(found->second.begin(), found->second.end());
    }
    for (const SizeSpec& size : own.sizes) {
        if (!fedSizes.contains(size.name) && workload.findSize(size.name) == nullptr)
            workload.sizes.push_back(size);
    }
    for (const InputSpec& input : own.inputs) {
        const auto same = [&](const InputSpec& each) { return each.name == input.name; };
        if (names.model.contains(input.name) &&
            std::none_of(workload.inputs.begin(), workload.inputs.end(), same))
            workload.inputs.push_back(input);
    }
    workload.outputs = own.outputs;
    workload.judged = own.judged;
    BatchRange& batches = workload.batches;
    batches.lowest = std::max(batches.lowest, own.batches.lowest);
    if (own.batches.highest > 0)
        batches.highest = batches.highest > 0 ? std::min(batches.highest, own.batches.highest)
                                              : own.batches.highest;
}

InputNames ownNames(const JoinedPart& part)
{
    InputNames names;
    for (const InputSpec& input : part.family->workload().inputs)
        names.model.emplace(input.name, input.name);
    return names;
}

}  // namespace

Result<std::shared_ptr<const ModelFamily>> joinFamilies(std::vector<JoinedPart> parts)
{
    std::set<std::string> stages;
    for (const JoinedPart& part : parts) {
        if (!stages.insert(part.stage).second)
            return Error{ErrorCode::InvalidArgument, "two stages are called " + part.stage};
    }
    std::vector<InputNames> names{ownNames(parts.front())};
    Workload workload = parts.front().family->workload();
    for (std::size_t i = 1; i < parts.size(); ++i) {
        QS_TRY(InputNames bound, bind(parts[i], parts[i - 1]));
        addWorkload(parts[i], bound, workload);
        names.push_back(std::move(bound));
    }
    if (workload.batches.highest > 0 && workload.batches.lowest > workload.batches.highest)
        return Error{ErrorCode::InvalidArgument, "the programs have no batch in common"};
    return std::shared_ptr<const ModelFamily>(
        std::make_shared<JoinedFamily>(std::move(parts), std::move(names), std::move(workload)));
}

}  // namespace qs::core::exported
