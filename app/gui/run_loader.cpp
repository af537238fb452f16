#include "app/gui/run_loader.h"

#include "core/record/run_folder.h"

#include <QFuture>
#include <QtConcurrentRun>

#include <exception>
#include <string>

namespace qs::app {

namespace {

using Loaded = std::shared_ptr<core::Result<core::RunData>>;

Loaded read(const std::filesystem::path& folder)
{
    try {
        return std::make_shared<core::Result<core::RunData>>(core::readRunFolder(folder));
    } catch (const std::exception& failure) {
        return std::make_shared<core::Result<core::RunData>>(core::Error{
            core::ErrorCode::Internal, folder.string() + ": cannot be read: " + failure.what()});
    }
}

}  // namespace

void RunLoader::load(const std::filesystem::path& folder)
{
    m_loading = true;
    QtConcurrent::run(read, folder).then(this, [this, job = ++m_job](const Loaded& result) {
        if (job != m_job)
            return;
        m_loading = false;
        if (result->ok())
            Q_EMIT loaded(std::make_shared<core::RunData>(std::move(*result).value()));
        else
            Q_EMIT failed(QString::fromStdString(result->error().message));
    });
}

}  // namespace qs::app
