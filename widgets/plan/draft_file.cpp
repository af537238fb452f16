#include "widgets/plan/draft_file.h"

#include "core/base/files.h"
#include "widgets/background/in_background.h"

#include <nlohmann/json.hpp>

#include <exception>
#include <system_error>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kWriteDelayMs = 400;

core::Status writeDraft(const std::filesystem::path& path, const core::Preset& preset)
{
    try {
        QS_RETURN_IF_ERROR(core::createFolders(path.parent_path()));
        return core::writeFileAtomically(path, core::jsonText(core::toJson(preset), 2) + "\n");
    } catch (const std::exception& failure) {
        return core::Error{core::ErrorCode::Internal, failure.what()};
    }
}

}  // namespace

DraftFile::DraftFile(std::filesystem::path path, QObject* parent)
    : QObject(parent), m_path(std::move(path))
{
    m_pool.setMaxThreadCount(1);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kWriteDelayMs);
    connect(&m_timer, &QTimer::timeout, this, &DraftFile::write);
}

DraftFile::~DraftFile()
{
    write();
    m_pool.waitForDone();
}

void DraftFile::keep(const core::Preset& preset)
{
    m_waiting = preset;
    // Not restarted: a person who types without a pause must not put it off for ever.
    if (!m_timer.isActive())
        m_timer.start();
}

void DraftFile::write()
{
    if (!m_waiting || m_path.empty())
        return;
    inBackground(
        m_pool, this,
        [path = m_path, preset = *std::exchange(m_waiting, std::nullopt)] {
            return writeDraft(path, preset);
        },
        [this](const core::Status& status) {
            if (!status.ok())
                Q_EMIT failed(QString::fromStdString(status.error().message));
        });
}

core::Result<core::Preset> DraftFile::read(const std::filesystem::path& path)
{
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return core::Error{core::ErrorCode::NotFound, path.string() + ": no draft"};
    return core::readPreset(path);
}

}  // namespace qs::widgets

#include "moc_draft_file.cpp"
