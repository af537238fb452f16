#include "widgets/plan/model_part.h"

#include "core/model/catalogue.h"
#include "widgets/model/model_status.h"
#include "widgets/plan/feeding_edit.h"
#include "widgets/plan/fold_section.h"
#include "widgets/plan/model_edit.h"

#include <QEvent>
#include <QVBoxLayout>

namespace qs::widgets {

ModelPart::ModelPart(const std::filesystem::path& resourceFolder, QWidget* parent)
    : QWidget(parent),
      m_edit(new ModelEdit(this)),
      m_status(new ModelStatus(this)),
      m_feeding(new FeedingEdit(this)),
      m_section(new FoldSection(tr("Inputs and outputs"), m_feeding, this)),
      m_inspector(resourceFolder)
{
    setFocusProxy(m_edit);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_edit);
    layout->addWidget(m_status);
    layout->addWidget(m_section);
    m_section->setObjectName(QStringLiteral("feedingSection"));
    connectParts();
    showSection();
}

void ModelPart::connectParts()
{
    connect(m_edit, &ModelEdit::modelsEdited, this, &ModelPart::modelsEdited);
    connect(m_status, &ModelStatus::choiceMade, this,
            [this](const QString& reference) { Q_EMIT modelsEdited({reference}); });
    connect(&m_inspector, &ModelInspector::inspected, this, &ModelPart::receive);
    connect(m_feeding, &FeedingEdit::fed, this, &ModelPart::inspected);
    connect(m_feeding, &FeedingEdit::feedingEdited, this, &ModelPart::feedingEdited);
    connect(m_feeding, &FeedingEdit::changed, this, [this] {
        showSection();
        Q_EMIT problemChanged();
    });
}

void ModelPart::setRecent(const QStringList& paths)
{
    m_edit->setRecent(paths);
}

void ModelPart::showFeeding(const core::Preset& preset)
{
    m_feeding->showPreset(preset);
}

void ModelPart::giveImages()
{
    m_feeding->giveImages();
}

void ModelPart::showSection()
{
    // What hinders a run is not found behind an arrow; who folds it away all the same may.
    const bool wrong = !m_feeding->problem().isEmpty();
    if (wrong && !m_wrong)
        m_section->setOpen(true);
    m_wrong = wrong;
    m_section->setVisible(m_feeding->isNeeded());
    m_section->setSummary(m_feeding->summary());
}

bool ModelPart::isBusy() const
{
    return m_inspector.isBusy() || m_feeding->isBusy();
}

bool ModelPart::takesImages() const
{
    return m_feeding->takesImages();
}

// A form lays out what wraps by the height that it had before its parts were shown: it is told
// again when they are.
bool ModelPart::event(QEvent* event)
{
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (height() != heightForWidth(width()))
                    updateGeometry();
            },
            Qt::QueuedConnection);
    return handled;
}

QString ModelPart::problem() const
{
    return m_feeding->problem();
}

void ModelPart::showModels(const QStringList& references, std::int64_t seed)
{
    m_edit->setModels(references);
    if (references == m_asked && m_usable)
        return;
    m_asked = references;
    m_seed = seed;
    m_usable = true;
    m_read = 0;
    m_first.reset();
    m_anyTakesImages = false;
    const bool named = !references.isEmpty() && !references.contains(QString());
    if (named && !hasSeveral())
        m_status->showReading(references.front());
    else
        m_status->showNothing();
    if (named)
        m_inspector.inspect(references.front(), seed);
    m_feeding->setInspection(nullptr);
}

void ModelPart::receive(const Inspection& inspection)
{
    if (m_read >= m_asked.size() ||
        QString::fromStdString(inspection->reference) != m_asked[m_read])
        return;
    ++m_read;
    if (hasSeveral())
        receiveOneOfSeveral(inspection);
    else
        receiveOnly(inspection);
}

void ModelPart::receiveOnly(const Inspection& inspection)
{
    m_usable = inspection->usable();
    m_status->showInspection(inspection);
    m_feeding->setInspection(inspection);
    // It is asked for, not found behind an arrow.
    if (m_feeding->isUnanswered())
        m_section->setOpen(true);
    if (inspection->usable() && inspection->trained &&
        core::isModelPath(m_asked.front().toStdString()))
        Q_EMIT opened(m_asked.front());
}

// What cannot be used may take images, as far as anybody knows.
void ModelPart::receiveOneOfSeveral(const Inspection& inspection)
{
    const bool usable = inspection->usable() && inspection->family != nullptr;
    m_usable = m_usable && usable;
    m_anyTakesImages = m_anyTakesImages || !usable || inspection->family->workload().takesImages();
    if (m_first == nullptr)
        m_first = inspection;
    if (m_read < m_asked.size())
        m_inspector.inspect(m_asked[m_read], m_seed);
    else
        m_feeding->setInspection(m_anyTakesImages ? nullptr : m_first);
}

}  // namespace qs::widgets

#include "moc_model_part.cpp"
