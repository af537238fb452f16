#include "tests/extension/toy_runner.h"

#include "core/engine/compile/eager_runner.h"
#include "core/engine/compile/runner_registry.h"
#include "tests/extension/toy_axis.h"

#include <utility>

namespace qs::tests {

namespace {

using engine::StageRunner;
using engine::StageSetup;

class Twice final : public StageRunner
{
public:
    Twice(std::unique_ptr<StageRunner> eager, std::int64_t times)
        : m_eager(std::move(eager)), m_times(times)
    {
    }

    void run() override
    {
        for (std::int64_t i = 0; i < m_times; ++i)
            m_eager->run();
    }
    void observe() override { m_eager->observe(); }
    [[nodiscard]] core::Status prepare() override
    {
        m_notes = m_eager->notes();
        m_notes.push_back(
            {core::NoteCode::Remark, {"each pass ran " + std::to_string(m_times) + " times"}});
        m_notes.push_back({core::NoteCode::Remark, {"calls: " + std::to_string(toyCalls())}});
        return m_eager->prepare();
    }
    [[nodiscard]] const engine::ProductCounts& products() const override
    {
        return m_eager->products();
    }
    [[nodiscard]] int recordingsPerPass() const override { return 0; }
    [[nodiscard]] std::vector<core::Note> notes() const override { return m_notes; }

private:
    std::unique_ptr<StageRunner> m_eager;
    std::int64_t m_times;
    std::vector<core::Note> m_notes;
};

}  // namespace

void registerToyRunner()
{
    engine::registerRunner(
        "twice", [](const StageSetup& setup) -> core::Result<std::unique_ptr<StageRunner>> {
            QS_TRY(auto eager, engine::makeEagerRunner(setup));
            return std::unique_ptr<StageRunner>(std::make_unique<Twice>(
                std::move(eager), setup.program.compile.whole("times") * toyCalls()));
        });
}

}  // namespace qs::tests
