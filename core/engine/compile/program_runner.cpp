#include "core/engine/compile/program_runner.h"

#include "core/engine/compile/loaded_program.h"
#include "core/engine/compile/stage_places.h"
#include "core/engine/internal/torch_types.h"

#include <utility>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;

namespace {

class ProgramRunner final : public StageRunner
{
public:
    ProgramRunner(const StageSetup& setup, LoadedProgram program)
        : m_graph(setup.program.graph),
          m_program(std::move(program)),
          m_places(m_graph, setup.values)
    {
    }

    [[nodiscard]] Status firstPass() override
    {
        QS_TRY(std::vector<at::Tensor> outputs, m_program.tryRun(m_places.inputs()));
        QS_RETURN_IF_ERROR(check(outputs));
        m_places.keep(std::move(outputs));
        return {};
    }
    void run() override { m_places.keep(m_program.run(m_places.inputs())); }
    void observe() override { run(); }
    [[nodiscard]] Status prepare() override { return {}; }
    // Nobody counts what it multiplies.
    [[nodiscard]] const ProductCounts& products() const override { return m_products; }
    [[nodiscard]] int recordingsPerPass() const override { return 0; }
    [[nodiscard]] std::vector<core::Note> notes() const override { return m_notes; }

private:
    [[nodiscard]] Status check(const std::vector<at::Tensor>& outputs) const
    {
        if (outputs.size() != m_graph.outputs.size())
            return Error{ErrorCode::WrongResult,
                         "the package gave " + std::to_string(outputs.size()) + " outputs, not " +
                             std::to_string(m_graph.outputs.size()) + " as when it was tried"};
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const core::Value& value = m_graph.value(m_graph.outputs[i]);
            if (outputs[i].sizes() != at::IntArrayRef(value.type.shape) ||
                outputs[i].scalar_type() != toTorch(value.type.dtype))
                return Error{ErrorCode::WrongResult,
                             "the package gave " + value.name +
                                 " with another type or size than when it was tried: " +
                                 core::toText(value.type) + " was expected"};
        }
        return {};
    }

    const core::Graph& m_graph;
    LoadedProgram m_program;
    StagePlaces m_places;
    ProductCounts m_products;
    std::vector<core::Note> m_notes;
};

}  // namespace

Result<std::unique_ptr<StageRunner>> makeProgramRunner(const StageSetup& setup)
{
    if (setup.packages.size() != 1 || !setup.packages.front().unpacked)
        return Error{ErrorCode::Internal, "the stage has no program that could run as it is"};
    QS_TRY(LoadedProgram program,
           LoadedProgram::load(*setup.packages.front().unpacked, setup.backend.device()));
    return std::unique_ptr<StageRunner>(std::make_unique<ProgramRunner>(setup, std::move(program)));
}

}  // namespace qs::engine
