#include "core/engine/convert/package_trial.h"

#include "core/engine/compile/loaded_program.h"
#include "core/engine/convert/example_input.h"
#include "core/engine/internal/backend.h"
#include "core/engine/internal/torch_types.h"
#include "core/model/packaged/package_facts.h"
#include "core/model/packaged/packaged_family.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace qs::engine {

using core::ConversionRequest;
using core::ConversionResult;
using core::DeclaredInput;
using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;

namespace packaged = core::packaged;

namespace {

// What depends on the batch is seen in these.
constexpr std::array<std::int64_t, 3> kTriedBatches{2, 3, 5};
// Of a package that takes one only. The library refuses the others before it computes.
constexpr std::array<std::int64_t, 19> kFixedBatches{1,  2,  3,  4,  5,  6,  7,   8,   10, 12,
                                                     16, 24, 32, 48, 64, 96, 128, 192, 256};

using Types = std::vector<core::TensorType>;

// Names of the arguments, or those that were declared.
std::vector<DeclaredInput> named(std::vector<DeclaredInput> inputs)
{
    std::set<std::string> taken;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::string& name = inputs[i].name;
        if (name.empty() || !taken.insert(name).second)
            name = "input_" + std::to_string(i);
        taken.insert(name);
    }
    return inputs;
}

// The types for batches of kTriedBatches as one with that size left open.
Result<DeclaredInput> joined(const std::array<Types, kTriedBatches.size()>& runs,
                             std::size_t output)
{
    const core::TensorType& first = runs[0][output];
    DeclaredInput type{{}, first.dtype, first.shape};
    for (std::size_t dimension = 0; dimension < first.shape.size(); ++dimension) {
        bool fixed = true;
        bool batch = !type.batch.has_value();
        for (std::size_t run = 0; run < runs.size(); ++run) {
            const auto& shape = runs[run][output].shape;
            if (shape.size() != first.shape.size() || runs[run][output].dtype != first.dtype)
                return Error{ErrorCode::Unsupported, "is of another type for each batch"};
            fixed = fixed && shape[dimension] == first.shape[dimension];
            batch = batch && shape[dimension] == kTriedBatches[run];
        }
        if (!fixed && !batch)
            return Error{ErrorCode::Unsupported,
                         "has a size that is neither fixed nor the batch: " + core::toText(first) +
                             " for a batch of " + std::to_string(kTriedBatches[0])};
        if (!fixed) {
            type.batch = dimension;
            type.shape[dimension] = 0;
        }
    }
    return type;
}

class PackageTrial final
{
public:
    PackageTrial(const ConversionRequest& request, std::unique_ptr<Backend> backend,
                 LoadedProgram program, bool checksInputs)
        : m_request(request),
          m_backend(std::move(backend)),
          m_program(std::move(program)),
          m_checksInputs(checksInputs)
    {
        m_facts.sha256 = request.sha256;
        m_facts.inputs = named(request.inputs);
    }

    Result<ConversionResult> run()
    {
        QS_RETURN_IF_ERROR(m_facts.freeBatch() ? tryBatches() : tryOnce(1));
        nameOutputs();
        // What no model can be made of is said now.
        QS_RETURN_IF_ERROR(checkFacts());
        QS_RETURN_IF_ERROR(packaged::writeFacts(m_facts, m_request.archive));
        for (const DeclaredInput& output : m_facts.outputs)
            m_result.outputs.push_back(core::toText(output));
        m_result.lowestBatch = m_facts.lowestBatch;
        return m_result;
    }

private:
    [[nodiscard]] Result<Types> typesFor(std::int64_t batch) const
    {
        std::vector<at::Tensor> inputs;
        for (const DeclaredInput& input : m_facts.inputs)
            inputs.push_back(exampleOf(input.typeFor(batch)).to(m_backend->device()));
        QS_TRY(const std::vector<at::Tensor> outputs, m_program.tryRun(inputs));
        QS_RETURN_IF_ERROR(catching([&]() -> Status {
            m_backend->synchronize();
            return {};
        }));
        Types types;
        for (const at::Tensor& output : outputs) {
            if (!hasDType(output.scalar_type()) || output.numel() == 0)
                return Error{ErrorCode::Unsupported,
                             "output " + std::to_string(types.size()) +
                                 " is empty or of a type that is not known here"};
            types.push_back({fromTorch(output.scalar_type()), output.sizes().vec()});
        }
        if (types.empty())
            return Error{ErrorCode::Unsupported, "the package gives no tensor"};
        return types;
    }

    Status tryOnce(std::int64_t batch)
    {
        QS_TRY(const Types types, typesFor(batch));
        for (DeclaredInput& input : m_facts.inputs)
            input = {input.name, input.dtype, input.typeFor(batch).shape};
        for (const core::TensorType& type : types)
            m_facts.outputs.push_back({{}, type.dtype, type.shape});
        return {};
    }

    Status tryBatches()
    {
        if (!m_checksInputs)
            return Error{ErrorCode::Unsupported,
                         "the package does not check its inputs, so that nobody can tell which "
                         "batches it takes; declare its inputs with the sizes that it was compiled "
                         "for"};
        std::array<Types, kTriedBatches.size()> runs;
        for (std::size_t i = 0; i < kTriedBatches.size(); ++i) {
            auto types = typesFor(kTriedBatches[i]);
            if (!types.ok())
                return tryFixedBatches(types.error());
            if (types.value().size() != runs[0].size() && i > 0)
                return Error{ErrorCode::Unsupported, "the package gives another number of outputs "
                                                     "for each batch"};
            runs[i] = std::move(types.value());
        }
        for (std::size_t output = 0; output < runs[0].size(); ++output) {
            auto type = joined(runs, output);
            if (!type.ok())
                return type.error().within("output " + std::to_string(output));
            m_facts.outputs.push_back(std::move(type.value()));
        }
        // torch.export leaves 1 out where the example had more.
        m_facts.lowestBatch = typesFor(1).ok() ? 1 : kTriedBatches.front();
        return {};
    }

    Status tryFixedBatches(const Error& why)
    {
        for (const std::int64_t batch : kFixedBatches) {
            if (!tryOnce(batch).ok())
                continue;
            m_result.fixedBatch = why.message;
            return {};
        }
        return why;
    }

    void nameOutputs()
    {
        std::vector<std::string> names = m_program.outputNames();
        names.resize(m_facts.outputs.size());
        std::set<std::string> taken;
        for (const DeclaredInput& input : m_facts.inputs)
            taken.insert(input.name);
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::string usual =
                names.size() == 1 ? std::string("output") : "output_" + std::to_string(i);
            DeclaredInput& output = m_facts.outputs[i];
            output.name = names[i];
            // A key may be anything.
            if (!core::parseDeclaredInput(core::toText(output)).ok() || names[i].empty() ||
                !taken.insert(names[i]).second)
                output.name = usual;
            taken.insert(output.name);
        }
    }

    [[nodiscard]] Status checkFacts() const
    {
        const auto family = packaged::makeFamily({}, m_facts);
        return family.ok() ? Status() : family.error();
    }

    const ConversionRequest& m_request;
    std::unique_ptr<Backend> m_backend;
    LoadedProgram m_program;
    bool m_checksInputs;
    packaged::PackageFacts m_facts;
    ConversionResult m_result;
};

}  // namespace

Result<ConversionResult> tryPackage(const ConversionRequest& request)
{
    const std::filesystem::path folder = std::filesystem::path(request.archive).parent_path();
    QS_TRY(const packaged::UnpackedPackage unpacked,
           packaged::unpackPackage(request.program, request.sha256, folder));
    const bool onGpu = unpacked.device == core::ProgramDevice::Cuda;
    auto backend = makeBackend(onGpu ? "cuda:0" : "cpu");
    if (!backend.ok())
        return backend.error().within(request.program + " is compiled for NVIDIA GPUs");
    std::optional<Result<ConversionResult>> result;
    QS_RETURN_IF_ERROR(catching([&]() -> Status {
        const c10::InferenceMode inference;
        const c10::Device device = backend.value()->device();
        QS_TRY(LoadedProgram program, LoadedProgram::load(unpacked, device));
        result = PackageTrial(request, std::move(backend.value()), std::move(program),
                              unpacked.checksInputs)
                     .run();
        return {};
    }));
    if (!result->ok())
        return result->error().within(request.program);
    return std::move(*result);
}

}  // namespace qs::engine
