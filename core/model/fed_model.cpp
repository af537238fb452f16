#include "core/model/fed_model.h"

#include "core/model/image_port.h"
#include "core/model/model_ports.h"
#include "core/model/staged_model.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

// A family as it is fed.
class FedFamily final : public ModelFamily
{
public:
    FedFamily(std::shared_ptr<const ModelFamily> inner, Workload workload,
              std::optional<ImagePort> images)
        : m_inner(std::move(inner)), m_workload(std::move(workload)), m_images(std::move(images))
    {
    }

    const std::vector<StageInfo>& stages() const override { return m_inner->stages(); }
    const Workload& workload() const override { return m_workload; }

    Status checkShape(const ShapePoint& point) const override
    {
        const std::int64_t fixed = m_images ? m_images->fixedSize : 0;
        if (const auto size = point.sizes.find(kImageSize); fixed > 0 && size && *size != fixed)
            return Error{ErrorCode::InvalidArgument, "the model takes images of " +
                                                         std::to_string(fixed) + " px, not " +
                                                         std::to_string(*size)};
        return m_inner->checkShape(inner(point));
    }
    Result<Graph> buildStage(std::size_t stage, const ShapePoint& point,
                             DType compute) const override
    {
        return m_inner->buildStage(stage, inner(point), compute);
    }
    LayerPlace layerPlace(std::size_t stage, const std::string& module) const override
    {
        return m_inner->layerPlace(stage, module);
    }
    std::int64_t runsPerPass(std::size_t stage, const ShapePoint& point) const override
    {
        return m_inner->runsPerPass(stage, inner(point));
    }
    std::vector<SampleAmount> amounts(const ShapePoint& point) const override
    {
        return m_inner->amounts(inner(point));
    }
    Result<HostTensors> prepare(const FloatArray& images) const override
    {
        if (!m_images)
            return m_inner->prepare(images);
        HostTensors inputs;
        inputs.emplace(m_images->input, m_images->taken(images));
        return inputs;
    }
    Result<FloatArray> present(const FloatArray& output, const ShapePoint& point) const override
    {
        QS_TRY(FloatArray own, m_inner->present(output, inner(point)));
        if (m_images && m_workload.judgedOutput().kind == OutputKind::Image)
            return m_images->given(own);
        return own;
    }

private:
    [[nodiscard]] ShapePoint inner(const ShapePoint& point) const
    {
        return m_images ? m_images->inner(point) : point;
    }

    std::shared_ptr<const ModelFamily> m_inner;
    Workload m_workload;
    std::optional<ImagePort> m_images;
};

template <typename Spec>
std::string namesOf(const std::vector<Spec>& specs)
{
    std::string names;
    for (const Spec& spec : specs)
        names += (names.empty() ? "" : ", ") + spec.name;
    return names;
}

std::string rangeText(const InputSpec& spec)
{
    return std::to_string(static_cast<std::int64_t>(spec.lowest)) + " to " +
           std::to_string(static_cast<std::int64_t>(spec.highest));
}

// The size that says how long the rows of that input are.
Result<std::string> lengthSize(const ModelFamily& family, const std::string& input,
                               const ModelPorts& ports)
{
    const ShapePoint smallest = family.workload().smallestShape();
    const std::int64_t length = ports.inputs.at(input).shape.back();
    for (const SizeSpec& size : family.workload().sizes) {
        ShapePoint larger = smallest;
        larger.sizes.set(size.name, 2 * size.smallest);
        if (size.fixed || !family.checkShape(larger).ok())
            continue;
        QS_TRY(const ModelPorts grown, portsOf(family, larger));
        const TensorType* type = typeIn(grown.inputs, input);
        if (type != nullptr && type->shape.back() > length)
            return size.name;
    }
    return Error{ErrorCode::InvalidArgument,
                 "input " + input + " takes rows of " + std::to_string(length) +
                     " tokens: length=own needs a model with a free number of them"};
}

// What the graphs show of an input; "0" where they show none.
Status feedInput(const ModelFamily& family, const std::string& input, const InputFeed& feed,
                 const ModelPorts& ports, Workload& workload, std::optional<ImagePort>& images)
{
    const auto spec = std::find_if(workload.inputs.begin(), workload.inputs.end(),
                                   [&](const InputSpec& each) { return each.name == input; });
    const auto shape = ports.inputs.find(input);
    if (spec == workload.inputs.end() || shape == ports.inputs.end())
        return Error{ErrorCode::InvalidArgument, "the model has no input \"" + input +
                                                     "\"; it has " + namesOf(workload.inputs)};
    if (const auto* pixels = std::get_if<ImageFeed>(&feed)) {
        if (images || spec->whole)
            return Error{ErrorCode::InvalidArgument,
                         images ? "only one input can be fed with images"
                                : "input " + input + " takes whole numbers and no images"};
        QS_TRY(images, imagePort(family, input, shape->second.shape, *pixels));
    } else if (std::holds_alternative<TextFeed>(feed)) {
        if (!spec->whole || shape->second.shape.size() != 2)
            return Error{ErrorCode::InvalidArgument,
                         "input " + input +
                             " takes no token ids [batch, tokens]: text does not fit"};
        if (std::get<TextFeed>(feed).ownLengths) {
            if (!workload.ownSize().empty())
                return Error{ErrorCode::InvalidArgument,
                             "only one input can have length=own; so has not " + input};
            QS_TRY(spec->ownSize, lengthSize(family, input, ports));
        }
    } else if (const auto* random = std::get_if<RandomFeed>(&feed)) {
        if (spec->whole && random->distribution != Distribution::Uniform)
            return Error{ErrorCode::InvalidArgument,
                         "input " + input + " takes whole numbers: only uniform fits"};
        if (spec->indices && (random->lowest < spec->lowest || random->highest > spec->highest))
            return Error{ErrorCode::InvalidArgument,
                         "input " + input + " takes the ids from " + rangeText(*spec)};
        spec->distribution = random->distribution;
        spec->lowest = random->lowest;
        spec->highest = random->highest;
        spec->mean = random->mean;
        spec->deviation = random->deviation;
    }
    return {};
}

void takeImages(const ImagePort& images, Workload& workload)
{
    workload.source = InputSource::Images;
    workload.unit = WorkUnit::Image;
    if (!images.ownRowsAndColumns && images.fixedSize == 0)
        return;
    // Two sizes are one; a fixed one is told.
    std::erase_if(workload.sizes, [](const SizeSpec& size) {
        return size.name == "height" || size.name == "width";
    });
    SizeSpec size{std::string(kImageSize), "Pixels a side", "px", 224, 1};
    if (images.fixedSize > 0) {
        size.fallback = size.smallest = size.largest = images.fixedSize;
        size.fixed = true;
    }
    workload.sizes.push_back(std::move(size));
}

Status judge(const ModelFeeding& feeding, const ModelPorts& ports,
             const std::optional<ImagePort>& images, Workload& workload)
{
    if (!feeding.judged.empty())
        workload.judged = feeding.judged;
    const auto output =
        std::find_if(workload.outputs.begin(), workload.outputs.end(),
                     [&](const OutputSpec& each) { return each.name == workload.judged; });
    if (output == workload.outputs.end())
        return Error{ErrorCode::InvalidArgument, "the model has no output \"" + workload.judged +
                                                     "\"; it has " + namesOf(workload.outputs)};
    const auto shape = ports.outputs.find(output->name);
    const bool asImages = images && shape != ports.outputs.end() &&
                          shape->second.shape == ports.inputs.at(images->input).shape;
    if (feeding.outputKind == OutputKind::Image && !asImages)
        return Error{ErrorCode::InvalidArgument,
                     "output " + output->name +
                         " is no image: it has not the shape of an input that is fed with images"};
    if (feeding.outputKind)
        output->kind = *feeding.outputKind;
    else if (asImages && output->kind == OutputKind::Tensor)
        output->kind = OutputKind::Image;
    return {};
}

}  // namespace

Status feedModel(Model& model, const ModelFeeding& feeding)
{
    if (feeding.empty())
        return {};
    QS_RETURN_IF_ERROR(divideModel(model, feeding.stages));
    const ModelFamily& family = *model.family;
    Workload workload = family.workload();
    if (workload.takesImages() && !feeding.inputs.empty())
        return Error{ErrorCode::InvalidArgument,
                     "the model takes images in a way of its own; nothing can be declared of it"};
    QS_TRY(const ModelPorts ports, portsOf(family, workload.smallestShape()));
    std::optional<ImagePort> images;
    for (const auto& [input, feed] : feeding.inputs) {
        QS_RETURN_IF_ERROR(feedInput(family, input, feed, ports, workload, images));
        model.fedFromFiles = model.fedFromFiles || !feedPaths(feed).empty();
    }
    if (images)
        takeImages(*images, workload);
    QS_RETURN_IF_ERROR(judge(feeding, ports, images, workload));
    if (feeding.trained)
        model.declaredTrained = feeding.trained;
    model.family = std::make_shared<FedFamily>(model.family, std::move(workload), images);
    return {};
}

}  // namespace qs::core
