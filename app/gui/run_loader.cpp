#include "app/gui/run_loader.h"

#include "core/analysis/measured_run.h"
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
        core::Result<core::MeasuredRun> read =
            core::readMeasuredRun(folder, core::RowPlace::InMemory);
        if (!read.ok())
            return std::make_shared<core::Result<LoadedRun>>(read.error());
        core::RunData& data = read.value().data;
        core::Analysis analysis =
            core::analyse(data, read.value().figures, data.plan.preset.speedBaseline);
        return std::make_shared<core::Result<LoadedRun>>(
            LoadedRun{std::move(data), std::move(analysis)});
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

#include "moc_run_loader.cpp"
