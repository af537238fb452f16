#include "core/engine/convert/script_conversion.h"

#include "core/base/sha256.h"
#include "core/engine/convert/example_input.h"
#include "core/engine/convert/script_recorder.h"
#include "core/engine/execute/executor.h"
#include "core/engine/internal/torch_types.h"
#include "core/graph/exported/concrete_graph.h"
#include "core/graph/exported/exported_archive.h"
#include "core/graph/exported/free_batch.h"
#include "core/graph/exported/program_of_graph.h"
#include "core/graph/exported/program_writer.h"
#include "core/model/exported/open_exported.h"
#include "core/quant/checked_model.h"

#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace qs::engine {

namespace exported = core::exported;
namespace jit = torch::jit;

using core::ConversionRequest;
using core::ConversionResult;
using core::DeclaredInput;
using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;

namespace {

// Differences between these tell what depends on the batch and how; the last one checks.
constexpr std::array<std::int64_t, 4> kTracedBatches{2, 3, 5, 1};
constexpr std::int64_t kCheckedBatch = 5;
// What rounding can do to outputs of the same operations in another order of kernels.
constexpr double kMostDifference = 1e-3;
constexpr double kMostDifferenceOfHalves = 5e-2;

// The names of forward(), or those that were declared.
Result<std::vector<std::string>> inputNames(const jit::Module& module,
                                            const std::vector<DeclaredInput>& inputs)
{
    const auto& arguments = module.get_method("forward").function().getSchema().arguments();
    std::vector<std::string> names;
    std::size_t required = 0;
    for (std::size_t i = 1; i < arguments.size(); ++i)
        required += arguments[i].default_value() ? 0 : 1;
    if (inputs.size() < required || inputs.size() + 1 > arguments.size()) {
        std::string list;
        for (std::size_t i = 1; i < arguments.size(); ++i)
            list += (i == 1 ? "" : ", ") + arguments[i].name();
        return Error{ErrorCode::InvalidArgument,
                     "forward() takes " + std::to_string(arguments.size() - 1) + " inputs (" +
                         list + "), and " + std::to_string(inputs.size()) + " are declared"};
    }
    std::set<std::string> taken;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::string name = inputs[i].name.empty() ? arguments[i + 1].name() : inputs[i].name;
        std::replace(name.begin(), name.end(), '.', '_');
        if (!taken.insert(name).second || name.starts_with("v_") || name.starts_with("held_"))
            name = "input_" + std::to_string(i);
        names.push_back(name);
    }
    return names;
}

class Conversion final
{
public:
    Conversion(const ConversionRequest& request, jit::Module module)
        : m_request(request), m_module(std::move(module))
    {
    }

    Result<ConversionResult> run()
    {
        QS_TRY(m_names, inputNames(m_module, m_request.inputs));
        QS_TRY(exported::ExportedProgram program, recordProgram());
        if (const auto unsupported = exported::unsupportedOperations(program.graph);
            !unsupported.empty())
            return exported::unsupportedProgram(m_request.program, unsupported);
        m_result.operations = static_cast<std::int64_t>(program.graph.nodes.size());
        QS_RETURN_IF_ERROR(core::writeProgram(program, storedTensors(), "cpu",
                                              core::FilePlace(m_request.archive)));
        QS_RETURN_IF_ERROR(checkArchive());
        return m_result;
    }

private:
    [[nodiscard]] std::vector<ScriptInput> inputsFor(std::int64_t batch) const
    {
        std::vector<ScriptInput> inputs;
        for (std::size_t i = 0; i < m_request.inputs.size(); ++i)
            inputs.push_back({m_names[i], exampleOf(m_request.inputs[i].typeFor(batch))});
        return inputs;
    }

    [[nodiscard]] Result<ScriptRecording> recordWith(std::int64_t batch) const
    {
        // A program may write to its buffers: each recording begins with what the file says.
        return recordScript(m_module.deepcopy(), inputsFor(batch));
    }

    // With a free batch if that can be; else for one sample.
    Result<exported::ExportedProgram> recordProgram()
    {
        const bool hasBatch = std::any_of(m_request.inputs.begin(), m_request.inputs.end(),
                                          [](const auto& each) { return each.batch.has_value(); });
        if (hasBatch) {
            std::vector<exported::BatchRecording> recordings;
            Status failed;
            for (const std::int64_t batch : kTracedBatches) {
                auto recording = recordWith(batch);
                // One sample alone may be impossible, as for statistics over a batch.
                if (!recording.ok() && batch == 1)
                    continue;
                if (!recording.ok()) {
                    failed = recording.error();
                    break;
                }
                if (batch == kCheckedBatch)
                    m_checked = recording.value();
                recordings.push_back({batch, std::move(recording.value().program)});
            }
            if (failed.ok()) {
                auto joined = exported::withFreeBatch(recordings);
                if (joined.ok()) {
                    m_checkedBatch = kCheckedBatch;
                    return joined;
                }
                failed = joined.error();
            }
            m_result.fixedBatch = failed.error().message;
        }
        QS_TRY(m_checked, recordWith(1));
        return m_checked.program;
    }

    // Tensors that share their place in memory are written once.
    std::vector<core::ArchiveTensor> storedTensors()
    {
        std::vector<core::ArchiveTensor> stored;
        std::map<std::pair<const void*, std::int64_t>, std::size_t> places;
        std::map<std::string, at::Tensor> untouched;
        for (const auto& parameter : m_module.named_parameters())
            untouched[parameter.name] = parameter.value;
        for (const auto& buffer : m_module.named_buffers())
            untouched[buffer.name] = buffer.value;
        for (HeldTensor& held : m_checked.held) {
            const auto original = untouched.find(held.name);
            if (original != untouched.end())
                held.tensor = original->second;
            // A view that is copied here lies nowhere else.
            held.tensor = held.tensor.detach().contiguous();
            const void* place = held.tensor.const_data_ptr();
            m_result.parameters +=
                held.role == exported::InputRole::Parameter ? held.tensor.numel() : 0;
            core::ArchiveTensor tensor;
            tensor.name = held.name;
            tensor.role = held.role;
            tensor.type = exported::describe(
                {fromTorch(held.tensor.scalar_type()), held.tensor.sizes().vec()});
            tensor.bytes = held.tensor.nbytes();
            tensor.content = [data = held.tensor](const core::TextSink& sink) {
                return sink({static_cast<const char*>(data.const_data_ptr()), data.nbytes()});
            };
            // The same memory under another name: one weight, as tied embeddings are.
            const auto [found, isNew] =
                places.try_emplace({place, static_cast<std::int64_t>(tensor.bytes)}, stored.size());
            const HeldTensor& other = m_checked.held[found->second];
            if (!isNew && held.role != exported::InputRole::Constant &&
                other.role != exported::InputRole::Constant &&
                other.tensor.sizes() == held.tensor.sizes() &&
                other.tensor.scalar_type() == held.tensor.scalar_type())
                tensor.sameAs = found->second;
            stored.push_back(std::move(tensor));
        }
        return stored;
    }

    // What was written is read again and run: it must give what the program itself gave.
    Status checkArchive()
    {
        QS_TRY(const core::OpenedModel opened, core::openCheckedModel(m_request.archive, {}, 0));
        const core::ModelFamily& family = *opened.model.family;
        core::ShapePoint point = family.workload().smallestShape();
        point.batch = m_checkedBatch;
        const bool halves =
            std::any_of(m_checked.held.begin(), m_checked.held.end(), [](const auto& each) {
                return each.tensor.scalar_type() == at::kHalf ||
                       each.tensor.scalar_type() == at::kBFloat16;
            });
        QS_TRY(const core::Graph graph, family.buildStage(0, point, workingType()));
        NamedTensors tensors;
        for (const HeldTensor& held : m_checked.held)
            tensors.emplace(held.name, held.tensor);
        QS_TRY(const Executor executor, Executor::create(graph, tensors, at::kCPU));
        std::vector<at::Tensor> inputs;
        for (ScriptInput& input : inputsFor(m_checkedBatch))
            inputs.push_back(std::move(input.tensor));
        const c10::InferenceMode inference;
        const std::vector<at::Tensor> outputs = executor.run(inputs);
        for (std::size_t i = 0; i < outputs.size(); ++i)
            m_result.relativeDifference =
                std::max(m_result.relativeDifference, difference(outputs[i], m_checked.outputs[i]));
        // A comparison that is not a number is not small.
        if (m_result.relativeDifference <= (halves ? kMostDifferenceOfHalves : kMostDifference))
            return {};
        return Error{ErrorCode::WrongResult,
                     "what was recorded gives other outputs than the program: they differ by " +
                         std::to_string(m_result.relativeDifference) + " of their size"};
    }

    // Of most of the floating weights.
    [[nodiscard]] core::DType workingType() const
    {
        std::map<c10::ScalarType, std::int64_t> elements;
        for (const HeldTensor& held : m_checked.held) {
            if (held.tensor.is_floating_point())
                elements[held.tensor.scalar_type()] += held.tensor.numel();
        }
        const auto most =
            std::max_element(elements.begin(), elements.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
        return most == elements.end() ? core::DType::Float32 : fromTorch(most->first);
    }

    static double difference(const at::Tensor& a, const at::Tensor& b)
    {
        const at::Tensor x = a.to(at::kDouble);
        const at::Tensor y = b.to(at::kDouble);
        if (x.sizes() != y.sizes())
            return INFINITY;
        const double size = y.norm().item<double>();
        const double apart = (x - y).norm().item<double>();
        return apart == 0.0 ? 0.0 : apart / std::max(size, 1e-30);
    }

    const ConversionRequest& m_request;
    jit::Module m_module;
    std::vector<std::string> m_names;
    ScriptRecording m_checked;
    std::int64_t m_checkedBatch = 1;
    ConversionResult m_result;
};

}  // namespace

Result<ConversionResult> convertScript(const ConversionRequest& request)
{
    // The bytes that were agreed to, and no others.
    QS_TRY(const std::string hash, core::sha256File(request.program));
    if (hash != request.sha256)
        return Error{ErrorCode::InvalidArgument,
                     request.program + " has changed since it was trusted: its SHA-256 is " + hash};
    std::optional<Result<ConversionResult>> result;
    QS_RETURN_IF_ERROR(catching([&]() -> Status {
        jit::Module module = jit::load(request.program, at::kCPU);
        module.eval();
        result = Conversion(request, std::move(module)).run();
        return {};
    }));
    if (!result->ok())
        return result->error().within(request.program);
    return std::move(*result);
}

}  // namespace qs::engine
