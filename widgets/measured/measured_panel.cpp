#include "widgets/measured/measured_panel.h"

#include "core/report/words/note_text.h"
#include "widgets/layout/spacing_grid.h"
#include "widgets/measured/phase_strip.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/plain_tip.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

QLabel* makeLabel(const QString& name, Qt::TextFormat format)
{
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(format);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QToolButton* makeButton(const QString& name, const QString& text, const QString& tip)
{
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(plainTip(tip));
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

// From 1; 0 in a run of one environment, where nobody asks.
std::size_t placeOf(const core::RunData& data, const std::string& environmentId)
{
    if (data.environments.size() < 2)
        return 0;
    const core::Environment* found = data.environment(environmentId);
    return found == nullptr ? 0 : static_cast<std::size_t>(found - data.environments.data()) + 1;
}

QString roundText(const core::Measurement& row, std::size_t environment)
{
    QString text = MeasuredPanel::tr("round %1").arg(row.round + 1);
    if (row.attempt > 0)
        text += MeasuredPanel::tr(", attempt %1").arg(row.attempt + 1);
    if (environment > 0)
        text += MeasuredPanel::tr(", environment %1").arg(environment);
    if (!row.ok())
        text +=
            QStringLiteral(": ") + QString::fromStdString(std::string(core::name(row.status())));
    return text;
}

}  // namespace

MeasuredPanel::MeasuredPanel(RunStore& store, QWidget* parent) : QWidget(parent), m_store(store)
{
    setObjectName(QStringLiteral("measuredPanel"));
    build();
    connect(&store, &RunStore::selectionChanged, this, &MeasuredPanel::follow);
    connect(&store, &RunStore::analysisChanged, this, &MeasuredPanel::follow);
    connect(&store, &RunStore::runReplaced, this, [this] {
        m_cell.clear();
        m_shown.clear();
        follow();
    });
    connect(m_rounds, &QComboBox::currentIndexChanged, this, &MeasuredPanel::showRow);
    connect(m_samples, &QToolButton::clicked, m_plot, &MeasuredPlot::showSamples);
    connect(m_whole, &QToolButton::clicked, m_plot, &MeasuredPlot::showWholeCell);
    connect(m_environment, &QLabel::linkActivated, this, &MeasuredPanel::environmentsWanted);
}

QWidget* MeasuredPanel::buildHead()
{
    m_title = makeLabel(QStringLiteral("measuredTitle"), Qt::PlainText);
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_rounds = new QComboBox;
    m_rounds->setObjectName(QStringLiteral("measuredRounds"));
    m_rounds->setAccessibleName(tr("Round"));
    m_rounds->setToolTip(tr("Which repeat of the cell is shown"));
    m_rounds->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_environment = makeLabel(QStringLiteral("measuredEnvironment"), Qt::RichText);
    m_environment->setTextInteractionFlags(Qt::TextBrowserInteraction);
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_title, 2);
    row->addWidget(m_rounds);
    row->addWidget(m_environment, 2);
    return head;
}

QWidget* MeasuredPanel::buildDrawing()
{
    m_strip = new PhaseStrip;
    m_phases = makeLabel(QStringLiteral("measuredPhases"), Qt::RichText);
    m_plot = new MeasuredPlot;
    m_marks = makeLabel(QStringLiteral("measuredMarks"), Qt::RichText);
    m_remark = makeLabel(QStringLiteral("measuredRemark"), Qt::PlainText);
    m_samples = makeButton(QStringLiteral("showSamples"), tr("Samples"),
                           tr("Show warm-up and samples (Home)"));
    m_whole = makeButton(QStringLiteral("showWholeCell"), tr("Whole cell"),
                         tr("Show the device from the start to the end of the cell (End)"));
    auto* tools = new QHBoxLayout;
    tools->addWidget(m_marks, 1);
    tools->addWidget(m_samples);
    tools->addWidget(m_whole);
    auto* drawing = new QWidget;
    auto* column = new QVBoxLayout(drawing);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_strip);
    column->addWidget(m_phases);
    column->addWidget(m_plot, 1);
    column->addLayout(tools);
    column->addWidget(m_remark);
    return drawing;
}

void MeasuredPanel::build()
{
    m_scroll = new QScrollArea;
    m_scroll->setObjectName(QStringLiteral("measuredFacts"));
    m_scroll->setAccessibleName(tr("Figures of the measurement"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::StrongFocus);
    m_scroll->setFrameShape(QFrame::NoFrame);
    auto* parts = new QSplitter(Qt::Horizontal);
    parts->addWidget(m_scroll);
    QWidget* head = buildHead();
    parts->addWidget(buildDrawing());
    parts->setChildrenCollapsible(false);
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 5);
    const int letter = fontMetrics().averageCharWidth();
    m_scroll->setMinimumWidth(30 * letter);
    parts->setSizes({52 * letter, 110 * letter});
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(head);
    column->addWidget(parts, 1);
    m_empty = makeLabel(QStringLiteral("measuredEmpty"), Qt::PlainText);
    m_empty->setAlignment(Qt::AlignCenter);
    m_pages = new QStackedWidget;
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
}

std::vector<const core::Measurement*> MeasuredPanel::rowsOfSelected() const
{
    std::vector<const core::Measurement*> rows;
    const std::string id = m_store.selectedCell().toStdString();
    for (const core::Measurement& row : m_store.data().measurements) {
        if (row.cellId == id)
            rows.push_back(&row);
    }
    return rows;
}

void MeasuredPanel::showNothing(const QString& why)
{
    m_empty->setText(why);
    m_pages->setCurrentIndex(0);
}

void MeasuredPanel::follow()
{
    if (!isVisible())
        return;
    const core::PlannedCell* cell = m_store.data().plan.find(m_store.selectedCell().toStdString());
    if (cell == nullptr) {
        m_cell.clear();
        return showNothing(m_store.isEmpty()
                               ? tr("Open or start a run to see how its cells are measured.")
                               : tr("Click a point or a row to see how it was measured."));
    }
    m_title->setText(cellTitle(*cell));
    const auto rows = rowsOfSelected();
    if (rows.empty()) {
        m_cell.clear();
        return showNothing(cell->possible()
                               ? tr("%1: not measured yet").arg(cellTitle(*cell))
                               : QString::fromStdString(core::noteText(*cell->impossible)));
    }
    fillRounds(rows);
    m_pages->setCurrentIndex(1);
    showRow();
}

void MeasuredPanel::fillRounds(const std::vector<const core::Measurement*>& rows)
{
    const QSignalBlocker quiet(m_rounds);
    const bool same = m_cell == m_store.selectedCell();
    const int chosen = same ? m_rounds->currentIndex() : -1;
    m_cell = m_store.selectedCell();
    m_rounds->clear();
    // Of a new cell the round that was looked at before, if it went well, or else one that did.
    int wanted = static_cast<int>(rows.size()) - 1;
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
        const core::Measurement& row = *rows[static_cast<std::size_t>(i)];
        m_rounds->addItem(roundText(row, placeOf(m_store.data(), row.environmentId)));
        const bool better =
            row.ok() && (!rows[static_cast<std::size_t>(wanted)]->ok() || row.round == m_round);
        if (better)
            wanted = i;
    }
    m_rounds->setCurrentIndex(chosen >= 0 && chosen < m_rounds->count() ? chosen : wanted);
}

void MeasuredPanel::showRow()
{
    const auto rows = rowsOfSelected();
    const auto index = static_cast<std::size_t>(m_rounds->currentIndex());
    if (m_rounds->currentIndex() < 0 || index >= rows.size())
        return;
    const core::Measurement& row = *rows[index];
    m_round = row.round;
    // What the user has zoomed into stays while a run adds rows to others.
    const QString onCell = remarksOnCell(row);
    const QString key = QStringLiteral("%1 %2 %3 %4 %5")
                            .arg(m_cell, QString::fromStdString(row.environmentId))
                            .arg(row.round)
                            .arg(row.attempt)
                            .arg(onCell);
    if (std::exchange(m_shown, key) == key)
        return;
    const std::vector<double> counted = row.result.passSeconds();
    MeasuredSeries series{.course = core::courseOf(row.result),
                          .summary = core::summarize(counted),
                          .bins = core::histogram(counted),
                          .trace = row.result.trace};
    std::vector<MeasuredFact> facts = measuredFacts({row, series.course, series.summary});
    if (!onCell.isEmpty())
        facts.push_back(
            {tr("All repeats"), onCell,
             tr("Details of this cell over all repeats, and of the cells it is compared with")});
    showFacts(facts);
    m_strip->setCourse(series.course);
    m_strip->setVisible(!series.course.phases.empty());
    const bool drawn = !series.course.passes.empty();
    m_plot->setVisible(drawn);
    m_marks->setVisible(drawn);
    m_samples->setVisible(drawn);
    m_whole->setVisible(drawn);
    m_plot->setSeries(std::move(series));
    showLegends(row);
}

QString MeasuredPanel::remarksOnCell(const core::Measurement& row) const
{
    QStringList remarks;
    const core::CellSummary* summary = m_store.analysis().find(row.cellId);
    if (summary == nullptr)
        return {};
    const std::vector<core::Note>& own = row.result.notes;
    for (const core::Note& note : summary->notes) {
        if (std::none_of(own.begin(), own.end(),
                         [&](const core::Note& each) { return core::sayTheSame(each, note); }))
            remarks << QString::fromStdString(core::noteText(note));
    }
    return remarks.join(QLatin1Char('\n'));
}

void MeasuredPanel::showLegends(const core::Measurement& row)
{
    m_phases->setText(m_strip->legend());
    m_marks->setText(m_plot->legend());
    QStringList remarks;
    if (core::allSamples(row.result).empty())
        remarks << tr("This row has no samples.");
    else if (row.result.sampleStart.empty())
        remarks << tr("This row has no times of its samples.");
    remarks << noTraceText(row);
    remarks.removeAll(QString());
    m_remark->setText(remarks.join(QLatin1Char(' ')));
    m_remark->setVisible(!remarks.isEmpty());
    m_environment->setText(environmentNote(row));
}

QString MeasuredPanel::environmentNote(const core::Measurement& row) const
{
    const core::Environment* environment = m_store.data().environment(row.environmentId);
    const std::size_t count = m_store.data().environments.size();
    QString where = environment == nullptr
                        ? tr("unknown environment")
                        : tr("on %1").arg(QString::fromStdString(environment->host));
    if (environment != nullptr) {
        for (const core::DeviceDescription& device : environment->devices) {
            if (device.id == row.config.device && !device.name.empty())
                where = tr("on %1").arg(QString::fromStdString(device.name));
        }
    }
    const QString link =
        count > 1 ? tr("measured in %1 environments").arg(count) : tr("environment");
    // The names come from a file.
    return QStringLiteral("%1 · <a href=\"environments\">%2</a>")
        .arg(where.toHtmlEscaped(), link.toHtmlEscaped());
}

void MeasuredPanel::showFacts(const std::vector<MeasuredFact>& facts)
{
    const int gap = onGrid(fontMetrics().averageCharWidth());
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, gap, 0);
    grid->setHorizontalSpacing(2 * gap);
    grid->setColumnStretch(1, 1);
    int line = 0;
    for (const MeasuredFact& fact : facts) {
        auto* name = new QLabel(fact.name);
        name->setTextFormat(Qt::PlainText);
        name->setForegroundRole(QPalette::PlaceholderText);
        name->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        QLabel* text = makeLabel(QStringLiteral("fact: ") + fact.name, Qt::PlainText);
        text->setText(fact.text);
        text->setAccessibleName(fact.name);
        text->setAccessibleDescription(fact.text);
        // As narrow as the column is: it is read downwards.
        text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        text->setMinimumSize(1, 1);  // its own guess is the height of a narrower text
        text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        for (QLabel* label : {name, text})
            label->setToolTip(plainTip(fact.explanation));
        grid->addWidget(name, line, 0);
        grid->addWidget(text, line, 1);
        ++line;
    }
    grid->setRowStretch(line, 1);
    m_scroll->setWidget(content);
}

void MeasuredPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    follow();
}

void MeasuredPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    // The legends hold colours as texts.
    if (event->type() == QEvent::PaletteChange && m_pages != nullptr &&
        m_pages->currentIndex() == 1) {
        // Once those that draw have theirs.
        QMetaObject::invokeMethod(
            this,
            [this] {
                m_phases->setText(m_strip->legend());
                m_marks->setText(m_plot->legend());
            },
            Qt::QueuedConnection);
    }
}

}  // namespace qs::widgets

#include "moc_measured_panel.cpp"
