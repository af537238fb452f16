#include "core/model/fed_inputs.h"

#include "core/base/npy_header.h"
#include "core/model/generated_inputs.h"
#include "core/model/tensor_file.h"
#include "core/model/text_feed.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

namespace qs::core {

namespace {

// Null for inputs that no stage reads.
const TensorType* typeOf(const std::string& input, const std::vector<const Graph*>& stages)
{
    for (const Graph* graph : stages) {
        const ValueId id = graph->findValue(input);
        if (id >= 0 && graph->value(id).kind == ValueKind::Input)
            return &graph->value(id).type;
    }
    return nullptr;
}

// Equal but for the batch, of which there must be a sample.
bool fits(const HostTensor& tensor, const TensorType& type, bool batched)
{
    if (tensor.shape.size() != type.shape.size())
        return false;
    const std::size_t first = batched && !type.shape.empty() ? 1 : 0;
    return (first == 0 || tensor.shape[0] > 0) &&
           std::equal(tensor.shape.begin() + static_cast<std::ptrdiff_t>(first), tensor.shape.end(),
                      type.shape.begin() + static_cast<std::ptrdiff_t>(first));
}

// The ids of its prompts, as many as a sample has of that input.
Result<HostTensor> textInput(const HostTensor& read, const InputSpec& input, const TensorType& type,
                             const TextFeed& feed)
{
    if (type.shape.size() != 2)
        return Error{ErrorCode::InvalidArgument, "the input is no row of token ids"};
    const std::int64_t highest = input.indices ? static_cast<std::int64_t>(input.highest)
                                               : std::numeric_limits<std::int64_t>::max();
    const std::int64_t length = type.shape[1];
    if (feed.pieces)
        return cutPieces(read, length, highest);
    return feed.ownLengths ? repeatedPrompts(read, length, highest)
                           : fittedPrompts(read, length, feed.pad, highest);
}

// "[3, 7]", the place of a value.
std::string placeText(std::size_t index, const std::vector<std::int64_t>& shape)
{
    std::string text;
    for (auto extent = shape.rbegin(); extent != shape.rend(); ++extent) {
        const auto size = static_cast<std::size_t>(*extent);
        text = std::to_string(index % size) + (text.empty() ? "" : ", ") + text;
        index /= size;
    }
    return "[" + text + "]";
}

// What is no row of the table that the model looks up would end it with a message of PyTorch's.
Status checkIndices(const HostTensor& tensor, const InputSpec& input)
{
    const auto* ids = std::get_if<std::vector<std::int64_t>>(&tensor.values);
    if (!input.indices || ids == nullptr)
        return {};
    const auto wrong = std::find_if(ids->begin(), ids->end(), [&](std::int64_t id) {
        return static_cast<double>(id) < input.lowest || static_cast<double>(id) > input.highest;
    });
    if (wrong == ids->end())
        return {};
    return Error{ErrorCode::InvalidArgument,
                 "the id at " +
                     placeText(static_cast<std::size_t>(wrong - ids->begin()), tensor.shape) +
                     " is " + std::to_string(*wrong) + ", and the model has " +
                     std::to_string(static_cast<std::int64_t>(input.lowest)) + " to " +
                     std::to_string(static_cast<std::int64_t>(input.highest))};
}

Result<HostTensor> fileInput(HostTensor read, const InputSpec& input, const TensorType& type)
{
    QS_TRY(HostTensor tensor, asWhole(std::move(read), input.whole));
    if (!fits(tensor, type, input.batched))
        return Error{ErrorCode::InvalidArgument,
                     "the input has the shape " + npyShapeText(type.shape) +
                         (input.batched ? " with the batch first" : "") + ", and is fed with " +
                         npyShapeText(tensor.shape)};
    QS_RETURN_IF_ERROR(checkIndices(tensor, input));
    return tensor;
}

}  // namespace

Result<HostTensor> readFedFile(const InputFeed& feed)
{
    const auto* file = std::get_if<FileFeed>(&feed);
    return file != nullptr ? readTensorFile(file->path, file->tensor)
                           : readPrompts(std::get<TextFeed>(feed));
}

Result<HostTensor> fedTensor(HostTensor read, const InputSpec& input, const TensorType& type,
                             const InputFeed& feed)
{
    const auto* text = std::get_if<TextFeed>(&feed);
    auto tensor = text != nullptr ? textInput(read, input, type, *text)
                                  : fileInput(std::move(read), input, type);
    return tensor.ok()
               ? std::move(tensor)
               : tensor.error().within(feedPaths(feed).front()).within("input " + input.name);
}

Result<FedInputs> readFedInputs(const ModelFamily& family, const std::vector<const Graph*>& stages,
                                const ModelFeeding& feeding,
                                const std::function<FilePlace(const std::string& input)>& placeOf,
                                std::int64_t seed, std::int64_t usual,
                                std::optional<std::int64_t> most)
{
    const Workload& workload = family.workload();
    HostTensors read;
    std::optional<std::int64_t> count = most;
    std::string fromImages;
    std::vector<std::int64_t> ownLengths;
    for (const auto& [name, feed] : feeding.inputs) {
        if (std::holds_alternative<ImageFeed>(feed))
            fromImages = name;
        const InputSpec* spec = workload.findInput(name);
        const TensorType* type = typeOf(name, stages);
        if (feedPaths(feed).empty() || spec == nullptr || type == nullptr)
            continue;
        QS_TRY(HostTensor file, readTensorFile(placeOf(name), {}));
        if (const auto* text = std::get_if<TextFeed>(&feed); text != nullptr && text->ownLengths) {
            QS_TRY(ownLengths, promptLengths(file));
        }
        QS_TRY(HostTensor tensor, fedTensor(std::move(file), *spec, *type, feed));
        if (spec->batched && !tensor.shape.empty())
            count = std::min(count.value_or(tensor.shape[0]), tensor.shape[0]);
        read.emplace(name, std::move(tensor));
    }
    FedInputs inputs{{}, count.value_or(usual), std::move(ownLengths)};
    inputs.tensors = samplesOf(read, workload, 0, inputs.count);
    HostTensors known = inputs.tensors;
    if (!fromImages.empty())
        known.emplace(fromImages, HostTensor{});
    if (!workload.takesImages() || !fromImages.empty())
        inputs.tensors.merge(
            generateInputs(withoutInputs(workload, known), stages, seed, inputs.count));
    return inputs;
}

}  // namespace qs::core
