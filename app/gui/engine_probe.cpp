#include "app/gui/engine_probe.h"

#include "core/run/describe_engine.h"
#include "widgets/background/in_background.h"

#include <exception>
#include <system_error>

namespace qs::app {

namespace {

using widgets::EngineState;

// A first start reads gigabytes of libraries from a cold disk.
constexpr double kTimeoutSeconds = 60.0;

EngineState missing(const QString& why)
{
    EngineState state;
    state.kind = EngineState::Kind::Missing;
    state.devices = {core::describeCpu()};
    state.problem = why;
    return state;
}

EngineState ask(const std::filesystem::path& program, const std::stop_token& stop)
{
    std::error_code ignored;
    if (!std::filesystem::exists(program, ignored))
        return missing(
            EngineProbe::tr("No engine: %1 does not exist. You can open runs and plan sweeps.")
                .arg(QString::fromStdString(program.string())));
    const core::Result<core::EngineDescription> engine =
        core::describeEngine(program, kTimeoutSeconds, stop);
    if (!engine.ok())
        return missing(QString::fromStdString(engine.error().message).trimmed());
    EngineState state;
    state.kind = EngineState::Kind::Ready;
    state.devices = engine.value().devices;
    state.facts = engine.value();
    state.version = EngineProbe::tr("torch %1").arg(QString::fromStdString(engine.value().torch));
    state.problem = QString::fromStdString(engine.value().whyNoGpu);
    return state;
}

}  // namespace

EngineProbe::EngineProbe(QObject* parent) : QObject(parent)
{
    m_state.devices = {core::describeCpu()};
    m_state.problem = tr("Detecting devices…");
}

EngineProbe::~EngineProbe()
{
    m_stop.request_stop();
}

void EngineProbe::start(const std::filesystem::path& workerProgram)
{
    const auto guardedAsk = [workerProgram, stop = m_stop.get_token()]() -> EngineState {
        try {
            return ask(workerProgram, stop);
        } catch (const std::exception& failure) {
            return missing(QString::fromUtf8(failure.what()));
        }
    };
    widgets::inBackground(this, guardedAsk, [this](const EngineState& state) {
        m_state = state;
        Q_EMIT stateChanged();
    });
}

}  // namespace qs::app

#include "moc_engine_probe.cpp"
