#include "widgets/plan/judged_output_edit.h"

#include "core/model/model_ports.h"
#include "widgets/model/port_text.h"
#include "widgets/plan/message_line.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>

#include <algorithm>
#include <utility>

namespace qs::widgets {

JudgedOutputEdit::JudgedOutputEdit(QWidget* parent)
    : QWidget(parent),
      m_form(new QFormLayout(this)),
      m_output(new QComboBox(this)),
      m_kind(new QComboBox(this)),
      m_message(newMessageLine(QStringLiteral("outputMessage"), this))
{
    m_output->setObjectName(QStringLiteral("judgedOutput"));
    m_output->setAccessibleName(tr("Judged output"));
    m_output->setToolTip(tr("The output that quality is judged on"));
    m_output->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    buildKind();
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setVerticalSpacing(2);
    m_form->addRow(tr("Output"), m_output);
    m_form->addRow(tr("It holds"), m_kind);
    m_form->addRow(m_message);
    connect(m_output, &QComboBox::activated, this,
            [this] { Q_EMIT outputEdited(m_output->currentData().toString().toStdString()); });
    connect(m_kind, &QComboBox::activated, this, [this] {
        const QVariant kind = m_kind->currentData();
        Q_EMIT kindEdited(kind.isValid() ? std::optional(kind.value<core::OutputKind>())
                                         : std::nullopt);
    });
}

void JudgedOutputEdit::buildKind()
{
    m_kind->setObjectName(QStringLiteral("outputKind"));
    m_kind->setAccessibleName(tr("What the judged output holds"));
    m_kind->setToolTip(tr("What the judged output holds: it decides the metrics and the view. Not "
                          "said: an image if it has the shape of the images that go in, any tensor "
                          "otherwise"));
    m_kind->addItem(tr("Not said"));
    for (const core::OutputKind kind : core::kOutputKinds.values())
        m_kind->addItem(outputKindText(kind), QVariant::fromValue(kind));
}

void JudgedOutputEdit::showOutputs(const core::Workload* workload,
                                   const std::map<std::string, core::TensorType>& types,
                                   const std::string& judged)
{
    QString shown = QString::fromStdString(judged);
    QList<std::pair<QString, QString>> items;  // text and data
    for (const core::OutputSpec& output :
         workload == nullptr ? std::vector<core::OutputSpec>() : workload->outputs) {
        const QString name = QString::fromStdString(output.name);
        // The one that the model itself names needs no saying.
        const bool usual = output.name == workload->judged;
        items.emplaceBack(outputTypeText(output.name, core::typeIn(types, output.name)),
                          usual ? QString() : name);
        if (usual && name == shown)
            shown.clear();
    }
    const bool known = std::any_of(items.begin(), items.end(),
                                   [&](const auto& item) { return item.second == shown; });
    if (!known)
        items.emplaceBack(QString::fromStdString(judged), shown);
    // Whoever has the list open keeps it.
    if (items != m_items) {
        m_items = items;
        m_output->clear();
        for (const auto& [text, data] : items)
            m_output->addItem(text, data);
    }
    m_output->setCurrentIndex(m_output->findData(shown));
    const bool choice = m_output->count() > 1;
    m_output->setVisible(choice);
    m_form->labelForField(m_output)->setVisible(choice);
}

void JudgedOutputEdit::showKind(const std::optional<core::OutputKind>& kind)
{
    m_kind->setCurrentIndex(kind ? m_kind->findData(QVariant::fromValue(*kind)) : 0);
}

void JudgedOutputEdit::showRecognised(core::OutputKind kind)
{
    m_kind->setItemText(0, tr("Not said: %1").arg(outputKindText(kind)));
}

void JudgedOutputEdit::setObjection(const QString& objection)
{
    showMessage(*m_message, objection);
}

}  // namespace qs::widgets

#include "moc_judged_output_edit.cpp"
