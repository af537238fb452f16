#include "widgets/plan/sweep_draft.h"

#include <utility>

namespace qs::widgets {

SweepDraft::SweepDraft(QObject* parent) : QObject(parent), m_history(this)
{
    connect(&m_history, &DraftHistory::restored, this, [this] {
        Q_EMIT shown();
        tellEdited();
    });
}

void SweepDraft::open(const core::Preset& preset, const std::filesystem::path& source)
{
    if (m_history.isEdited()) {
        m_history.change({preset, source},
                         tr("opening %1").arg(QString::fromStdString(preset.name)), false);
        if (m_file != nullptr)
            m_file->keep(preset);
    } else {
        m_history.reset({preset, source}, false);
    }
    Q_EMIT shown();
    Q_EMIT opened();
}

void SweepDraft::restore(const core::Preset& preset, const std::filesystem::path& source)
{
    m_history.reset({preset, source}, true);
    Q_EMIT shown();
    Q_EMIT opened();
}

void SweepDraft::keepIn(const std::filesystem::path& file)
{
    m_file = std::make_unique<DraftFile>(file);
    connect(m_file.get(), &DraftFile::failed, this, &SweepDraft::notKept);
}

void SweepDraft::setDiffers(bool differs)
{
    if (std::exchange(m_differs, differs) != differs)
        Q_EMIT differsChanged();
}

void SweepDraft::change(core::Preset preset, const QString& what, bool typing)
{
    m_history.change({std::move(preset), source()}, what, typing);
    tellEdited();
}

void SweepDraft::tellEdited()
{
    if (m_file != nullptr)
        m_file->keep(preset());
    Q_EMIT edited();
}

}  // namespace qs::widgets

#include "moc_sweep_draft.cpp"
