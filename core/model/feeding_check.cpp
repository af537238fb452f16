#include "core/model/feeding_check.h"

#include "core/model/fed_inputs.h"
#include "core/model/fed_model.h"
#include "core/model/model_ports.h"

#include <utility>

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

Status checkFile(const Workload& workload, const ModelPorts& ports, const std::string& input,
                 const InputFeed& feed)
{
    const InputSpec* spec = workload.findInput(input);
    const TensorType* type = typeIn(ports.inputs, input);
    if (spec == nullptr || type == nullptr)
        return {};
    auto read = readFedFile(feed);
    if (!read.ok())
        return read.error().within("input " + input);
    const auto fed = fedTensor(std::move(read).value(), *spec, *type, feed);
    return fed.ok() ? Status() : fed.error();
}

// Of those that are declared well.
void checkFiles(const ModelFeeding& feeding, const Sizes& sizes, FeedingCheck& check)
{
    const Workload& workload = check.family->workload();
    const ShapePoint shape{workload.smallestShape().batch, workload.completed(sizes)};
    if (!check.family->checkShape(shape).ok())
        return;  // told of the cells
    const auto ports = portsOf(*check.family, shape);
    for (const auto& [input, feed] : feeding.inputs) {
        if (!ports.ok() || feedPaths(feed).empty())
            continue;
        if (const Status status = checkFile(workload, ports.value(), input, feed); !status.ok())
            check.inputs.emplace(input, status.error());
    }
}

}  // namespace

Status FeedingCheck::status() const
{
    if (stages)
        return *stages;
    if (!inputs.empty())
        return inputs.begin()->second;
    return output ? Status(*output) : Status();
}

FeedingCheck checkFeeding(const std::shared_ptr<const ModelFamily>& family,
                          const ModelFeeding& feeding, const Sizes& sizes)
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
    checkFiles(good, sizes, check);
    return check;
}

}  // namespace qs::core
