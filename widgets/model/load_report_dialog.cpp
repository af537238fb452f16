#include "widgets/model/load_report_dialog.h"

#include "widgets/layout/drawn_icon.h"
#include "widgets/layout/screen_room.h"
#include "widgets/model/load_report_text.h"
#include "widgets/models/plain_tip.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <utility>

namespace qs::widgets {

namespace {

// A file of a million unknown tensors is not read line by line; the copied text has them all.
constexpr int kMostLines = 500;
constexpr qsizetype kLongLine = 90;  // letters; longer ones are paragraphs
constexpr QSize kUsualSize{640, 460};

}  // namespace

LoadReportDialog::LoadReportDialog(const Inspection& inspection, QWidget* parent)
    : QDialog(parent), m_inspection(inspection), m_tree(new QTreeWidget(this))
{
    setObjectName(QStringLiteral("loadReportDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Load report: %1").arg(QString::fromStdString(m_inspection->displayName)));
    m_tree->setObjectName(QStringLiteral("loadReportTree"));
    m_tree->setAccessibleName(tr("Load report"));
    m_tree->setHeaderHidden(true);
    m_tree->setUniformRowHeights(false);
    m_tree->setWordWrap(true);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("copyLoadReport"));
    copy->setToolTip(tr("Copy the whole report as text"));
    connect(copy, &QPushButton::clicked, this, [this] {
        QApplication::clipboard()->setText(reportText(*m_inspection, m_ports.get()));
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_tree, 1);
    addChoices(layout);
    layout->addWidget(buttons);
    fill();
    resizeWithinScreen(*this, kUsualSize);
    findPorts();
}

// Shapes are seen in graphs, which take a moment to build for a large model.
void LoadReportDialog::findPorts()
{
    if (!m_inspection->usable() || m_inspection->family == nullptr)
        return;
    m_task.start(
        this,
        [family = m_inspection->family](const auto&) -> Ports {
            auto ports = core::portsNear(*family, {});
            return ports.ok() ? std::make_shared<const core::ModelPorts>(std::move(ports).value())
                              : nullptr;
        },
        [this](const Ports& ports) {
            m_ports = ports;
            fill();
        });
}

void LoadReportDialog::addChoices(QVBoxLayout* layout)
{
    for (const auto& choice : m_inspection->choices) {
        const QString path = QString::fromStdString(choice.string());
        auto* button = new QPushButton(
            tr("Open %1").arg(QString::fromStdString(choice.filename().string())), this);
        button->setToolTip(plainTip(path));
        connect(button, &QPushButton::clicked, this, [this, path] {
            Q_EMIT choiceMade(path);
            close();
        });
        layout->addWidget(button);
    }
}

void LoadReportDialog::fill()
{
    m_tree->clear();
    for (const ReportSection& section : reportSections(*m_inspection, m_ports.get()))
        addSection(section);
}

void LoadReportDialog::addSection(const ReportSection& section)
{
    auto* top = new QTreeWidgetItem(m_tree, {section.title});
    QFont bold = m_tree->font();
    bold.setBold(true);
    top->setFont(0, bold);
    top->setIcon(0, drawnIcon(section.problem ? DrawnIcon::Warning : DrawnIcon::Information));
    if (!section.advice.isEmpty())
        addParagraph(*top, section.advice);
    for (const QString& line : section.lines.mid(0, kMostLines)) {
        if (line.size() > kLongLine)
            addParagraph(*top, line);
        else
            new QTreeWidgetItem(top, {line});
    }
    if (section.lines.size() > kMostLines)
        new QTreeWidgetItem(
            top, {tr("and %1 more").arg(QLocale().toString(section.lines.size() - kMostLines))});
    top->setExpanded(true);
}

// Of several lines.
void LoadReportDialog::addParagraph(QTreeWidgetItem& parent, const QString& text)
{
    auto* item = new QTreeWidgetItem(&parent);
    item->setFirstColumnSpanned(true);
    auto* label = new QLabel(text, m_tree);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    // The tree asks for the height before it knows its own width.
    label->setFixedWidth(kUsualSize.width() - 90);
    m_tree->setItemWidget(item, 0, label);
}

}  // namespace qs::widgets

#include "moc_load_report_dialog.cpp"
