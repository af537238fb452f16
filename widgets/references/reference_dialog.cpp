#include "widgets/references/reference_dialog.h"

#include "core/report/plain_table.h"
#include "core/report/reference_section.h"
#include "widgets/layout/drawn_icon.h"
#include "widgets/layout/roomy_rows.h"
#include "widgets/layout/screen_room.h"
#include "widgets/models/plain_tip.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr QSize kReferenceSize{1140, 460};
constexpr int kWidestReferenceLetters = 40;
constexpr int kWidestFigureLetters = 21;

QStringList textsOf(const std::vector<std::string>& texts)
{
    QStringList list;
    for (const std::string& text : texts)
        list << QString::fromStdString(text);
    return list;
}

// Files have no separators between thousands; the window has those of the user.
QString grouped(const QString& text)
{
    bool whole = false;
    const qlonglong number = text.toLongLong(&whole);
    return whole ? QLocale().toString(number) : text;
}

// A row of text over all columns.
QTreeWidgetItem* spanned(QTreeWidgetItem* item, const QString& text, const QString& tip)
{
    item->setText(0, text);
    item->setToolTip(0, plainTip(tip));
    item->setFirstColumnSpanned(true);
    item->setExpanded(true);
    return item;
}

// "torch.compile · NVIDIA H100 80GB HBM3 · 11/27/26"
QString headingOf(const core::ReferenceResults& results)
{
    QStringList parts{QString::fromStdString(results.program)};
    const auto device = results.environment.find("device");
    if (device != results.environment.end())
        parts << QString::fromStdString(device->second);
    const QDateTime when =
        QDateTime::fromString(QString::fromStdString(results.madeAt), Qt::ISODate);
    if (when.isValid())
        parts << QLocale().toString(when.toLocalTime().date(), QLocale::ShortFormat);
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

ReferenceDialog::ReferenceDialog(const RunStore& store, RunReferences& references,
                                 std::function<bool()> sweeping, QWidget* parent)
    : QDialog(parent),
      m_store(store),
      m_references(references),
      m_sweeping(std::move(sweeping)),
      m_sentence(new QLabel),
      m_table(new QTreeWidget),
      m_attach(new QPushButton(tr("&Add results…"))),
      m_measure(new QPushButton)
{
    setObjectName(QStringLiteral("referenceDialog"));
    setWindowTitle(tr("Other programs"));
    build();
    connect(m_attach, &QPushButton::clicked, this, &ReferenceDialog::fileWanted);
    connect(m_measure, &QPushButton::clicked, this, &ReferenceDialog::measureOrStop);
    connect(&m_measurement, &PeerMeasurement::said, this, &ReferenceDialog::showMeasuring);
    connect(&m_measurement, &PeerMeasurement::finished, this, [this](const QString& problem) {
        m_problem = problem;
        m_references.reload();
        showAll();
    });
    connect(&references, &RunReferences::changed, this, &ReferenceDialog::showAll);
    // What is measured of a run that has left the view would be put into its folder unseen.
    connect(&store, &RunStore::runReplaced, &m_measurement, &PeerMeasurement::stop);
    // How the cell that both have compares grows with the run.
    connect(&store, &RunStore::analysisChanged, this, &ReferenceDialog::showAll);
    resizeWithinScreen(*this, kReferenceSize);
    showAll();
}

void ReferenceDialog::build()
{
    m_sentence->setObjectName(QStringLiteral("referenceSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->setObjectName(QStringLiteral("referenceTable"));
    m_table->setAccessibleName(tr("Results of other programs"));
    m_table->setAlternatingRowColors(true);
    m_table->setUniformRowHeights(true);
    m_table->setItemDelegate(new RoomyRows(m_table));
    m_attach->setObjectName(QStringLiteral("addReference"));
    m_attach->setToolTip(plainTip(
        tr("Copy a file of reference results into the folder of this run; it is checked first")));
    m_measure->setObjectName(QStringLiteral("measurePeer"));
    m_measure->setToolTip(plainTip(
        tr("Measure the network of this run in Python: eager and with torch.compile, in bf16 and "
           "in the precisions of the run that torchao has. Compiling takes minutes")));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_measure, QDialogButtonBox::ActionRole);
    buttons->addButton(m_attach, QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_sentence);
    column->addWidget(m_table, 1);
    column->addWidget(buttons);
    m_table->setFocus();
}

void ReferenceDialog::measureOrStop()
{
    m_problem.clear();
    if (m_measurement.isBusy())
        m_measurement.stop();
    else if (m_sweeping())
        m_problem = tr("A sweep is running: measuring beside it would spoil both.");
    else
        m_measurement.start(m_store.data().folder);
    showAll();
    if (m_measurement.isBusy())
        showMeasuring(tr("the programs are written for Python"));
}

void ReferenceDialog::showMeasuring(const QString& line)
{
    if (m_measurement.isBusy())
        m_sentence->setText(tr("Measuring in Python: %1").arg(line));
}

QString ReferenceDialog::sentence() const
{
    for (const QString& problem : {m_problem, m_references.problem()}) {
        if (!problem.isEmpty())
            return problem;
    }
    if (m_store.isEmpty())
        return tr("Open a run to put what other programs measured beside it.");
    if (m_references.all().empty())
        return tr("No other program's results are with this run. Measure some in Python, here or "
                  "with \"quantscope-cli peer\", which has more choices, or add a file.");
    return QString::fromStdString(core::referencesMeaning());
}

void ReferenceDialog::addFile(const core::RunReference& reference)
{
    auto* heading = new QTreeWidgetItem(m_table);
    if (!reference.results) {
        const QString error = QString::fromStdString(reference.error);
        spanned(heading, error, error)->setIcon(0, drawnIcon(DrawnIcon::Warning));
        return;
    }
    const core::ReferenceResults& results = *reference.results;
    const core::PlainTable table = core::referenceTable(results);
    m_table->setColumnCount(static_cast<int>(table.head.size()));
    m_table->setHeaderLabels(textsOf(table.head));
    for (int column = core::kFirstReferenceFigure; column <= core::kLastReferenceFigure; ++column)
        m_table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    spanned(heading, headingOf(results),
            QString::fromStdString(reference.file + ": " + core::originText(results)));
    const std::string compared = core::comparedText(results, m_store.data(), m_store.analysis());
    if (!compared.empty())
        spanned(new QTreeWidgetItem(heading), QString::fromStdString(compared),
                QString::fromStdString(compared));
    for (const auto& line : table.lines) {
        auto* item = new QTreeWidgetItem(heading, textsOf(line));
        for (int column = 0; column < m_table->columnCount(); ++column)
            item->setToolTip(column, plainTip(item->text(column)));
        for (int column = core::kFirstReferenceFigure; column <= core::kLastReferenceFigure;
             ++column) {
            item->setText(column, grouped(item->text(column)));
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        }
    }
}

void ReferenceDialog::showAll()
{
    const bool stored = !m_store.isEmpty() && !m_store.data().folder.empty();
    m_attach->setEnabled(stored);
    m_measure->setEnabled(stored);
    m_measure->setText(m_measurement.isBusy() ? tr("&Stop measuring") : tr("&Measure in Python"));
    if (!m_measurement.isBusy())
        m_sentence->setText(sentence());
    m_table->clear();
    for (const core::RunReference& each : m_references.all())
        addFile(each);
    m_table->setHeaderHidden(m_references.all().empty());
    const int letter = fontMetrics().averageCharWidth();
    for (int column = 0; column < m_table->columnCount(); ++column) {
        m_table->resizeColumnToContents(column);
        const int letters =
            column > core::kLastReferenceFigure ? kWidestReferenceLetters : kWidestFigureLetters;
        m_table->setColumnWidth(
            column, std::min(m_table->columnWidth(column) + 2 * letter, letters * letter));
    }
}

}  // namespace qs::widgets

#include "moc_reference_dialog.cpp"
