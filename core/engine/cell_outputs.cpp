#include "core/engine/cell_outputs.h"

#include "core/base/sha256.h"
#include "core/measure/token_files.h"
#include "core/model/text_feed.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace qs::engine {

using core::CellRequest;
using core::CellResult;
using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;

namespace {

Status recordOutput(const CellRequest& request, const core::FloatArray& batch, std::int64_t index,
                    int picture, CellResult& result)
{
    core::FloatArray one{{batch.shape.begin() + 1, batch.shape.end()}, {}};
    const std::int64_t size = core::TensorType{core::DType::Float32, one.shape}.elementCount();
    one.values.assign(batch.values.begin() + index * size,
                      batch.values.begin() + (index + 1) * size);
    result.outputsFinite =
        result.outputsFinite && std::all_of(one.values.begin(), one.values.end(),
                                            [](float value) { return std::isfinite(value); });
    core::Sha256 hash;
    hash.update(std::as_bytes(std::span(one.values)));
    core::OutputRecord record{picture, {}, hash.hex()};
    if (picture < request.keptOutputs) {
        record.file = "output_" + std::to_string(picture) + ".npy";
        // Nothing of what was asked for is wrong if a disk refuses its results.
        if (const Status status = core::writeNpy(request.output(record.file), one); !status.ok())
            return Error{ErrorCode::Io, status.error().message};
    }
    result.outputs.push_back(std::move(record));
    return {};
}

// Sample `index` of whole numbers [B, N]; nothing for what are no token ids.
std::optional<core::FloatArray> tokenRow(const core::HostTensor& tensor, std::int64_t index)
{
    const auto* ids = std::get_if<std::vector<std::int64_t>>(&tensor.values);
    if (ids == nullptr || tensor.shape.size() != 2 || index >= tensor.shape[0] ||
        tensor.shape[1] < 1 || tensor.shape[1] > core::kMostKeptTokens)
        return std::nullopt;
    const auto first = ids->begin() + index * tensor.shape[1];
    const auto last = first + tensor.shape[1];
    if (std::any_of(first, last,
                    [](std::int64_t id) { return id < 0 || id > core::kHighestTokenId; }))
        return std::nullopt;
    core::FloatArray row{{tensor.shape[1]}, {}};
    std::transform(first, last, std::back_inserter(row.values),
                   [](std::int64_t id) { return static_cast<float>(id); });
    return row;
}

// The texts of a batch, beside the outputs that are kept: what the first input of token ids held,
// and what was generated where that is not the judged output itself.
class KeptTexts final
{
public:
    KeptTexts(const CellRequest& request, const core::Workload& workload)
        : m_request(request), m_judged(workload.judged)
    {
        const core::OutputKind kind = workload.judgedOutput().kind;
        const auto isText = [](const core::OutputSpec& output) {
            return output.kind == core::OutputKind::Tokens;
        };
        const auto text = std::find_if(workload.outputs.begin(), workload.outputs.end(), isText);
        if (text != workload.outputs.end())
            m_generated = text->name;
        const auto prompt = std::find_if(workload.inputs.begin(), workload.inputs.end(),
                                         [](const core::InputSpec& input) { return input.whole; });
        if (prompt != workload.inputs.end() &&
            (kind == core::OutputKind::Logits || kind == core::OutputKind::Tokens))
            m_prompt = prompt->name;
    }

    // For samples first … first + count - 1, which the pipeline has just seen.
    Status write(const core::HostTensors& inputs, const Pipeline& pipeline, std::int64_t first,
                 std::int64_t count) const
    {
        if (first >= m_request.keptOutputs)
            return {};
        if (const auto prompt = inputs.find(m_prompt); prompt != inputs.end())
            QS_RETURN_IF_ERROR(write(core::TokenFile::Prompt, prompt->second, first, count));
        if (m_generated.empty() || m_generated == m_judged)
            return {};
        const auto generated = pipeline.output(m_generated);
        return generated ? write(core::TokenFile::Generated, *generated, first, count) : Status();
    }

private:
    Status write(core::TokenFile file, const core::HostTensor& tensor, std::int64_t first,
                 std::int64_t count) const
    {
        for (std::int64_t i = 0; i < count && first + i < m_request.keptOutputs; ++i) {
            const auto row = tokenRow(tensor, i);
            const std::string name = core::tokenFileName(file, static_cast<int>(first + i));
            if (!row)
                return {};
            if (const Status status = core::writeNpy(m_request.output(name), *row); !status.ok())
                return Error{ErrorCode::Io, status.error().message};
        }
        return {};
    }

    const CellRequest& m_request;
    std::string m_judged;
    std::string m_prompt;     // empty: not a text
    std::string m_generated;  // empty: there is none
};

// So many samples from `first` on, which `inputs` holds.
struct Chunk {
    core::HostTensors inputs;
    std::int64_t first = 0;
    std::int64_t count = 0;
    core::ShapePoint shape;  // of the pipeline
};

Status writeChunk(const TimedCell& timed, const KeptTexts& texts, const Chunk& chunk,
                  Pipeline& pipeline, CellResult& result)
{
    QS_TRY(const core::FloatArray output,
           timed.cell.model->family->present(pipeline.runJudged(chunk.count, chunk.shape.batch),
                                             {chunk.count, chunk.shape.sizes}));
    for (std::int64_t i = 0; i < chunk.count; ++i)
        QS_RETURN_IF_ERROR(
            recordOutput(timed.request, output, i, static_cast<int>(chunk.first + i), result));
    return texts.write(chunk.inputs, pipeline, chunk.first, chunk.count);
}

// See Note [Own lengths].
Status writeOwnLength(const TimedCell& timed, const KeptTexts& texts, std::int64_t sample,
                      CellResult& result)
{
    const core::ModelFamily& family = *timed.cell.model->family;
    CellRequest request = timed.request;
    request.config.batch = 1;
    request.config.sizes.set(family.workload().ownSize(),
                             timed.samples.ownLengths()[static_cast<std::size_t>(sample)]);
    const core::ShapePoint shape{1, request.config.sizes};
    if (const Status fits = family.checkShape(shape); !fits.ok())
        return fits.error().within("prompt " + std::to_string(sample + 1));
    QS_TRY(const core::Program program, core::lower(family, {timed.cell.recipe, shape, {}}));
    QS_TRY(const SampleSet samples, SampleSet::quality(request, family, program));
    QS_TRY(core::HostTensors inputs, samples.prepared(family, sample, 1));
    QS_TRY(const auto pipeline,
           Pipeline::create(program, timed.weights, inputs, timed.cell.device, timed.backend));
    return writeChunk(timed, texts, {std::move(inputs), sample, 1, shape}, *pipeline, result);
}

Status checkOwnLengths(const TimedCell& timed)
{
    if (core::anyCompiled(timed.cell.program))
        return Error{ErrorCode::Unsupported, "what is compiled has one length for all prompts"};
    const std::string size = timed.cell.model->family->workload().ownSize();
    return core::checkPromptLengths(timed.samples.ownLengths(),
                                    timed.request.config.sizes.find(size).value_or(0));
}

}  // namespace

Status writeOutputs(const TimedCell& timed, const std::function<bool(double)>& progressed,
                    CellResult& result)
{
    const core::ModelFamily& family = *timed.cell.model->family;
    const KeptTexts texts(timed.request, family.workload());
    const core::ShapePoint shape{timed.request.config.batch, timed.request.config.sizes};
    const std::int64_t count = timed.samples.count();
    const bool own = !timed.samples.ownLengths().empty();
    if (own)
        QS_RETURN_IF_ERROR(checkOwnLengths(timed));
    const std::int64_t step = own ? 1 : shape.batch;
    for (std::int64_t first = 0; first < count; first += step) {
        if (own) {
            QS_RETURN_IF_ERROR(writeOwnLength(timed, texts, first, result));
        } else {
            QS_TRY(core::HostTensors inputs, timed.samples.prepared(family, first, shape.batch));
            timed.pipeline.setInputs(inputs);
            const std::int64_t there = std::min(step, count - first);
            QS_RETURN_IF_ERROR(writeChunk(timed, texts, {std::move(inputs), first, there, shape},
                                          timed.pipeline, result));
        }
        if (!progressed(static_cast<double>(first + step) / static_cast<double>(count)))
            return Error{ErrorCode::Cancelled, "stopped while writing outputs"};
    }
    return {};
}

}  // namespace qs::engine
