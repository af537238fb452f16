#include "widgets/model/model_status.h"

#include "widgets/layout/drawn_icon.h"
#include "widgets/layout/elided_paragraph.h"
#include "widgets/model/convert_dialog.h"
#include "widgets/model/load_report_dialog.h"
#include "widgets/model/load_report_text.h"
#include "widgets/models/plain_tip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace qs::widgets {

ModelStatus::ModelStatus(QWidget* parent)
    : QWidget(parent),
      m_icon(new QLabel(this)),
      m_text(new ElidedParagraph(2, this)),
      m_report(new QToolButton(this)),
      m_choices(new QVBoxLayout)
{
    const int iconSize = style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this);
    m_icon->setPixmap(drawnIcon(DrawnIcon::Warning).pixmap(iconSize));
    m_icon->setAccessibleName(tr("Problem"));
    m_icon->setAlignment(Qt::AlignTop);
    m_text->setObjectName(QStringLiteral("modelHeadline"));
    m_text->setTextFormat(Qt::PlainText);
    m_report->setObjectName(QStringLiteral("modelReport"));
    m_report->setText(tr("Report…"));
    m_report->setAccessibleName(tr("Load report of the model"));
    m_report->setToolTip(tr("Contents of the files: stages, dtypes, and tensors that are missing, "
                            "unknown or of another shape"));
    m_report->setFocusPolicy(Qt::StrongFocus);
    connect(m_report, &QToolButton::clicked, this, &ModelStatus::openReport);

    auto* row = new QHBoxLayout;
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_report, 0, Qt::AlignTop);
    m_choices->setContentsMargins(0, 0, 0, 0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(row);
    layout->addLayout(m_choices);
    showNothing();
}

void ModelStatus::clearChoices()
{
    while (QLayoutItem* item = m_choices->takeAt(0)) {
        // The button that was pressed may be on the stack.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
}

void ModelStatus::showNothing()
{
    clearChoices();
    m_inspection.reset();
    hide();
}

void ModelStatus::showReading(const QString& reference)
{
    clearChoices();
    m_inspection.reset();
    m_icon->hide();
    m_report->setEnabled(false);
    m_text->setText(tr("Reading…"));
    m_text->setToolTip(plainTip(reference));
    m_text->setForegroundRole(QPalette::PlaceholderText);
    show();
}

void ModelStatus::showInspection(const Inspection& inspection)
{
    clearChoices();
    m_inspection = inspection;
    m_icon->setVisible(!inspection->usable());
    m_report->setEnabled(true);
    m_text->setText(reportHeadline(*inspection));
    const QString name = QString::fromStdString(inspection->displayName);
    m_text->setToolTip(
        plainTip(inspection->usable() ? name : name + QLatin1Char('\n') + m_text->text()));
    m_text->setForegroundRole(inspection->usable() ? QPalette::PlaceholderText
                                                   : QPalette::WindowText);
    if (inspection->program) {
        const bool package = inspection->program->kind == core::ProgramKind::Package;
        auto* button = new QPushButton(!package               ? tr("Convert…")
                                       : inspection->usable() ? tr("Change its inputs…")
                                                              : tr("Try…"),
                                       this);
        button->setObjectName(QStringLiteral("modelConvert"));
        button->setToolTip(
            package ? tr("Say what its inputs look like. It is run once, if you trust it.")
                    : tr("Make a .pt2 of this program. It is run once, if you trust it."));
        connect(button, &QPushButton::clicked, this, &ModelStatus::openConversion);
        m_choices->addWidget(button);
    }
    for (const auto& choice : inspection->choices) {
        const QString path = QString::fromStdString(choice.string());
        auto* button = new QPushButton(
            tr("Open %1").arg(QString::fromStdString(choice.filename().string())), this);
        button->setObjectName(QStringLiteral("modelChoice"));
        button->setToolTip(plainTip(path));
        connect(button, &QPushButton::clicked, this, [this, path] { Q_EMIT choiceMade(path); });
        m_choices->addWidget(button);
    }
    show();
}

void ModelStatus::openConversion()
{
    if (m_inspection == nullptr || !m_inspection->program)
        return;
    auto* dialog = new ConvertDialog(QString::fromStdString(m_inspection->reference),
                                     *m_inspection->program, window());
    connect(dialog, &ConvertDialog::converted, this, &ModelStatus::choiceMade);
    dialog->show();
}

void ModelStatus::openReport()
{
    if (m_inspection == nullptr)
        return;
    auto* dialog = new LoadReportDialog(m_inspection, window());
    connect(dialog, &LoadReportDialog::choiceMade, this, &ModelStatus::choiceMade);
    dialog->show();
}

}  // namespace qs::widgets

#include "moc_model_status.cpp"
