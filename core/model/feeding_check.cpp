#include "core/model/feeding_check.h"

#include "core/model/fed_inputs.h"
#include "core/model/fed_model.h"
#include "core/model/model_ports.h"
#include "core/model/sample_labels.h"
#include "core/model/text_feed.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace qs::core {

namespace {

Result<std::shared_ptr<const ModelFamily>> fedFamily(std::shared_ptr<const ModelFamily> family,
                                                     const ModelFeeding& feeding)
{
    Model model;
    model.family = std::move(family);
    QS_RETURN_IF_ERROR(feedModel(model, feeding));
    return model.family;
}

// How many samples it has; nothing of one that serves all of them, or that no stage reads.
Result<std::optional<std::int64_t>> samplesOfFile(const Workload& workload, const ModelPorts& ports,
                                                  const std::string& input, const InputFeed& feed)
{
    const InputSpec* spec = workload.findInput(input);
    const TensorType* type = typeIn(ports.inputs, input);
    if (spec == nullptr || type == nullptr)
        return std::optional<std::int64_t>();
    auto read = readFedFile(feed);
    if (!read.ok())
        return read.error().within("input " + input);
    if (!spec->ownSize.empty()) {
        QS_TRY(const auto lengths, promptLengths(read.value()));
        const Status status = checkPromptLengths(lengths, type->shape.back());
        if (!status.ok())
            return status.error().within(feedPaths(feed).front()).within("input " + input);
    }
    QS_TRY(const HostTensor fed, fedTensor(std::move(read).value(), *spec, *type, feed));
    return spec->batched && !fed.shape.empty() ? std::optional(fed.shape.front()) : std::nullopt;
}

// Of the judged output, one sample of which has so many values.
std::optional<std::int64_t> classesOf(const Workload& workload, const ModelPorts& ports)
{
    const OutputSpec& judged = workload.judgedOutput();
    const TensorType* type = typeIn(ports.outputs, judged.name);
    if (judged.kind != OutputKind::Classes || type == nullptr || type->shape.empty())
        return std::nullopt;
    return std::accumulate(type->shape.begin() + 1, type->shape.end(), std::int64_t{1},
                           std::multiplies<>());
}

Status checkLabels(const std::string& path, const Workload& workload, const ModelPorts& ports,
                   const LabelledSamples& samples)
{
    QS_TRY(const std::vector<SampleLabel> labels, readSampleLabels(path));
    const bool isJudged =
        !workload.outputs.empty() && (workload.judgedOutput().kind == OutputKind::Classes ||
                                      workload.judgedOutput().kind == OutputKind::Embedding);
    if (!isJudged)
        return {};
    LabelledSamples of = samples;
    of.classes = classesOf(workload, ports);
    return checkSampleLabels(path, labels, of);
}

// Of those that are declared well.
void checkFiles(const ModelFeeding& feeding, const Sizes& sizes, std::int64_t mostImages,
                FeedingCheck& check)
{
    const Workload& workload = check.family->workload();
    const ShapePoint shape{workload.smallestShape().batch, workload.completed(sizes)};
    if (!check.family->checkShape(shape).ok())
        return;  // told of the cells
    const auto ports = portsOf(*check.family, shape);
    if (!ports.ok())
        return;
    std::optional<std::int64_t> fewest;
    if (workload.takesImages())
        fewest = mostImages;
    for (const auto& [input, feed] : feeding.inputs) {
        if (feedPaths(feed).empty())
            continue;
        const auto samples = samplesOfFile(workload, ports.value(), input, feed);
        if (!samples.ok())
            check.inputs.emplace(input, samples.error());
        else if (samples.value())
            fewest = std::min(fewest.value_or(*samples.value()), *samples.value());
    }
    if (feeding.labels.empty() || !check.inputs.empty())
        return;
    const Status status = checkLabels(
        feeding.labels, workload, ports.value(),
        {.count = fewest.value_or(kGeneratedSamples), .atMost = workload.takesImages()});
    if (!status.ok())
        check.labels = status.error();
}

}  // namespace

Status FeedingCheck::status() const
{
    if (stages)
        return *stages;
    if (!inputs.empty())
        return inputs.begin()->second;
    if (output)
        return *output;
    return labels ? Status(*labels) : Status();
}

FeedingCheck checkFeeding(const std::shared_ptr<const ModelFamily>& family,
                          const ModelFeeding& feeding, const Sizes& sizes, std::int64_t mostImages)
{
    FeedingCheck check{family};
    ModelFeeding good;
    // Takes what fits, and says what does not.
    const auto add = [&](const ModelFeeding& next) -> std::optional<Error> {
        auto fed = fedFamily(family, next);
        if (!fed.ok())
            return fed.error();
        check.family = std::move(fed).value();
        good = next;
        return std::nullopt;
    };
    ModelFeeding next;
    next.stages = feeding.stages;
    check.stages = add(next);
    for (const auto& [input, feed] : feeding.inputs) {
        next = good;
        next.inputs.emplace(input, feed);
        if (const auto error = add(next))
            check.inputs.emplace(input, *error);
    }
    next = good;
    next.judged = feeding.judged;
    next.outputKind = feeding.outputKind;
    check.output = add(next);
    good.labels = feeding.labels;
    checkFiles(good, sizes, mostImages, check);
    return check;
}

std::optional<std::pair<std::string, ImageFeed>>
onlyImageInput(const std::shared_ptr<const ModelFamily>& family)
{
    std::optional<std::pair<std::string, ImageFeed>> only;
    for (const InputSpec& input : family->workload().inputs) {
        for (const bool channelsLast : {false, true}) {
            const ImageFeed feed{.channelsLast = channelsLast};
            ModelFeeding feeding;
            feeding.inputs.emplace(input.name, feed);
            if (!fedFamily(family, feeding).ok())
                continue;
            if (only)
                return std::nullopt;
            only.emplace(input.name, feed);
            break;
        }
    }
    return only;
}

}  // namespace qs::core
