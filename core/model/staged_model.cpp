#include "core/model/staged_model.h"

#include <map>
#include <set>
#include <utility>

namespace qs::core {

namespace {

class StagedFamily final : public ModelFamily
{
public:
    StagedFamily(std::shared_ptr<const ModelFamily> inner, std::vector<StageCut> cuts,
                 std::vector<StageInfo> stages)
        : m_inner(std::move(inner)), m_cuts(std::move(cuts)), m_stages(std::move(stages))
    {
    }

    const std::vector<StageInfo>& stages() const override { return m_stages; }
    const Workload& workload() const override { return m_inner->workload(); }
    Status checkShape(const ShapePoint& point) const override { return m_inner->checkShape(point); }
    Result<Graph> buildStage(std::size_t stage, const ShapePoint& point,
                             DType compute) const override
    {
        QS_TRY(const Graph whole, m_inner->buildStage(0, point, compute));
        QS_TRY(std::vector<Graph> stages, cutIntoStages(whole, m_cuts));
        return std::move(stages[stage]);
    }
    LayerPlace layerPlace(std::size_t, const std::string& module) const override
    {
        return m_inner->layerPlace(0, module);
    }
    std::vector<SampleAmount> amounts(const ShapePoint& point) const override
    {
        return m_inner->amounts(point);
    }
    Result<HostTensors> prepare(const FloatArray& images) const override
    {
        return m_inner->prepare(images);
    }
    Result<FloatArray> present(const FloatArray& output, const ShapePoint& point) const override
    {
        return m_inner->present(output, point);
    }

private:
    std::shared_ptr<const ModelFamily> m_inner;
    std::vector<StageCut> m_cuts;
    std::vector<StageInfo> m_stages;
};

// The weights that each stage reads.
std::vector<StageInfo> stagesOf(const StageInfo& whole, const std::vector<StageCut>& cuts,
                                const std::vector<Graph>& graphs)
{
    std::vector<StageInfo> stages;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        std::set<std::string> read;
        for (const Value& value : graphs[i].values) {
            if (value.kind == ValueKind::Weight)
                read.insert(value.name);
        }
        StageInfo stage{cuts[i].name, {}};
        for (const WeightSpec& weight : whole.weights) {
            if (read.contains(weight.name))
                stage.weights.push_back(weight);
        }
        stages.push_back(std::move(stage));
    }
    return stages;
}

Status checkNames(const std::vector<StageCut>& cuts)
{
    std::set<std::string> names;
    for (const StageCut& cut : cuts) {
        if (!names.insert(cut.name).second)
            return Error{ErrorCode::InvalidArgument, "two stages are called " + cut.name};
    }
    return {};
}

}  // namespace

Status divideModel(Model& model, const std::vector<StageCut>& cuts)
{
    if (cuts.empty())
        return {};
    const ModelFamily& family = *model.family;
    if (family.stages().size() != 1)
        return Error{ErrorCode::InvalidArgument, "the model has " +
                                                     std::to_string(family.stages().size()) +
                                                     " stages of its own"};
    QS_RETURN_IF_ERROR(checkNames(cuts));
    QS_TRY(const Graph whole,
           family.buildStage(0, family.workload().smallestShape(), DType::Float32));
    QS_TRY(const std::vector<Graph> graphs, cutIntoStages(whole, cuts));
    std::vector<StageInfo> stages = stagesOf(family.stages()[0], cuts, graphs);
    if (auto* stored = std::get_if<StoredWeights>(&model.weights)) {
        const std::string before = family.stages()[0].name + "/";
        std::map<std::string, StoredWeight> places;
        for (const StageInfo& stage : stages) {
            for (const WeightSpec& weight : stage.weights)
                places[stage.name + "/" + weight.name] = stored->places.at(before + weight.name);
        }
        stored->places = std::move(places);
    }
    for (const StageCut& cut : cuts)
        model.variant += "|" + cut.name + "=" + cut.module;
    model.family = std::make_shared<StagedFamily>(model.family, cuts, std::move(stages));
    return {};
}

}  // namespace qs::core
