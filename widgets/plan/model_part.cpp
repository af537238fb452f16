#include "widgets/plan/model_part.h"

#include "widgets/model/model_status.h"
#include "widgets/plan/model_edit.h"

#include <QVBoxLayout>

namespace qs::widgets {

ModelPart::ModelPart(const std::filesystem::path& resourceFolder, QWidget* parent)
    : QWidget(parent),
      m_edit(new ModelEdit(this)),
      m_status(new ModelStatus(this)),
      m_inspector(resourceFolder)
{
    setFocusProxy(m_edit);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_edit);
    layout->addWidget(m_status);
    connect(m_edit, &ModelEdit::modelsEdited, this, &ModelPart::modelsEdited);
    connect(m_status, &ModelStatus::choiceMade, this,
            [this](const QString& reference) { Q_EMIT modelsEdited({reference}); });
    connect(&m_inspector, &ModelInspector::inspected, this, &ModelPart::receive);
}

void ModelPart::setRecent(const QStringList& paths)
{
    m_edit->setRecent(paths);
}

void ModelPart::showModels(const QStringList& references, std::int64_t seed)
{
    m_edit->setModels(references);
    if (references.size() != 1 || references.front().isEmpty()) {
        m_asked.clear();
        m_status->showNothing();
        Q_EMIT inspected(nullptr);
        return;
    }
    if (references.front() == m_asked && m_usable)
        return;
    m_asked = references.front();
    m_usable = true;
    m_status->showReading(m_asked);
    Q_EMIT inspected(nullptr);
    m_inspector.inspect(m_asked, seed);
}

void ModelPart::receive(const Inspection& inspection)
{
    if (QString::fromStdString(inspection->reference) != m_asked)
        return;
    m_usable = inspection->usable();
    m_status->showInspection(inspection);
    Q_EMIT inspected(inspection);
    if (inspection->usable() && inspection->trained && m_asked != QStringLiteral("demo"))
        Q_EMIT opened(m_asked);
}

}  // namespace qs::widgets
