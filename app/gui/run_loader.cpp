#include "app/gui/run_loader.h"

#include "core/record/run_folder.h"
#include "widgets/background/in_background.h"

#include <exception>
#include <string>
#include <utility>

namespace qs::app {

namespace {

using Loaded = std::shared_ptr<core::Result<LoadedRun>>;

Loaded read(const std::filesystem::path& folder)
{
    try {
        core::Result<core::RunData> data = core::readRunFolder(folder);
        if (!data.ok())
            return std::make_shared<core::Result<LoadedRun>>(data.error());
        LoadedRun run{.data = std::move(data).value(), .analysis = {}};
        run.analysis = core::analyse(run.data, run.data.plan.preset.speedBaseline);
        return std::make_shared<core::Result<LoadedRun>>(std::move(run));
    } catch (const std::exception& failure) {
        return std::make_shared<core::Result<LoadedRun>>(core::Error{
            core::ErrorCode::Internal, folder.string() + ": cannot be read: " + failure.what()});
    }
}

}  // namespace

void RunLoader::load(const std::filesystem::path& folder)
{
    m_loading = true;
    widgets::inBackground(
        this, [folder] { return read(folder); },
        [this, job = ++m_job](const Loaded& result) {
            if (job != m_job)
                return;
            m_loading = false;
            if (result == nullptr)
                Q_EMIT failed(tr("Not enough memory to open this run."));
            else if (result->ok())
                Q_EMIT loaded(std::make_shared<LoadedRun>(std::move(*result).value()));
            else
                Q_EMIT failed(QString::fromStdString(result->error().message));
        });
}

}  // namespace qs::app
