#include "core/engine/cell_outputs.h"

#include "core/base/sha256.h"
#include "core/measure/token_files.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <string>
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

}  // namespace

Status writeOutputs(const CellRequest& request, const core::ModelFamily& family,
                    const SampleSet& pictures, Pipeline& pipeline,
                    const std::function<bool(double)>& progressed, CellResult& result)
{
    const std::int64_t batch = request.config.batch;
    const std::int64_t count = pictures.count();
    const KeptTexts texts(request, family.workload());
    for (std::int64_t first = 0; first < count; first += batch) {
        QS_TRY(const core::HostTensors inputs, pictures.prepared(family, first, batch));
        pipeline.setInputs(inputs);
        const std::int64_t there = std::min(batch, count - first);
        QS_TRY(const core::FloatArray output,
               family.present(pipeline.runJudged(there, batch), {there, request.config.sizes}));
        for (std::int64_t i = 0; i < there; ++i)
            QS_RETURN_IF_ERROR(
                recordOutput(request, output, i, static_cast<int>(first + i), result));
        QS_RETURN_IF_ERROR(texts.write(inputs, pipeline, first, there));
        if (!progressed(static_cast<double>(first + batch) / static_cast<double>(count)))
            return Error{ErrorCode::Cancelled, "stopped while writing outputs"};
    }
    return {};
}

}  // namespace qs::engine
