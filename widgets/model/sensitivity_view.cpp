#include "widgets/model/sensitivity_view.h"

#include "core/sweep/cell.h"
#include "widgets/layout/elided_paragraph.h"
#include "widgets/layout/flow_layout.h"
#include "widgets/model/sensitivity_search.h"
#include "widgets/models/number_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plot/sensitivity_plot.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

enum class Gain { Bytes, Time };

constexpr double kMillisecondsPerSecond = 1e3;

double gainOf(const core::PartSensitivity& part, Gain gain)
{
    switch (gain) {
    case Gain::Bytes:
        return static_cast<double>(part.bytesSaved) / kBytesPerMebibyte;
    case Gain::Time:
        return part.gain ? part.gain->seconds * kMillisecondsPerSecond : 0.0;
    }
    return 0.0;
}

QString orderText(core::PartOrder order)
{
    switch (order) {
    case core::PartOrder::LossPerTime:
        return SensitivityView::tr("Parts with the most loss for the time that they save first");
    case core::PartOrder::LossPerByte:
        return SensitivityView::tr("Parts with the most loss for their bytes first: repeats do not "
                                   "decide that quantizing them saves time");
    }
    return {};
}

}  // namespace

SensitivityView::SensitivityView(RunStore& store, QWidget* parent) : QWidget(parent), m_store(store)
{
    setObjectName(QStringLiteral("sensitivityView"));
    build();
    // Not worked out for nobody: a run goes on while other views are looked at.
    connect(&store, &RunStore::analysisChanged, this, [this] {
        if (isVisible())
            refresh();
    });
    connect(m_which, &QComboBox::currentIndexChanged, this, &SensitivityView::showChosen);
    connect(m_gain, &QComboBox::currentIndexChanged, this, &SensitivityView::showChosen);
    connect(m_kept, &QSpinBox::valueChanged, this, &SensitivityView::showKept);
    connect(m_plot, &SensitivityPlot::cellClicked, &store, &RunStore::selectCell);
    connect(m_search, &SensitivitySearch::wanted, this, &SensitivityView::beginSearch);
    connect(m_search, &SensitivitySearch::stopWanted, this, &SensitivityView::searchStopWanted);
    refresh();
}

void SensitivityView::build()
{
    // In the order of Tab.
    m_keep = buildKeep();
    m_filter = new ElidedParagraph(1, this);
    m_filter->setObjectName(QStringLiteral("sensitivityFilter"));
    m_search = new SensitivitySearch(this);
    m_plot = new SensitivityPlot(this);
    m_plot->setObjectName(QStringLiteral("sensitivityPlot"));
    m_plot->setAccessibleName(tr("Loss of quality of each part alone, against its gain"));
    m_offer = buildOffer();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_keep);
    column->addWidget(m_filter);
    column->addWidget(m_search);
    column->addWidget(m_plot, 1);
    column->addWidget(m_offer);
}

void SensitivityView::buildChoices(QWidget* bar)
{
    m_which = new QComboBox(bar);
    m_which->setObjectName(QStringLiteral("sensitivityCell"));
    m_which->setAccessibleName(tr("Precision whose parts are shown"));
    m_gain = new QComboBox(bar);
    m_gain->setObjectName(QStringLiteral("sensitivityGain"));
    m_gain->setAccessibleName(tr("Gain"));
    m_gain->setToolTip(tr("What quantizing a part brings"));
    m_gain->addItem(tr("against bytes"), static_cast<int>(Gain::Bytes));
    m_gain->addItem(tr("against time"), static_cast<int>(Gain::Time));
}

QWidget* SensitivityView::buildKeep()
{
    auto* keep = new QWidget(this);
    buildChoices(keep);
    m_kept = new QSpinBox(keep);
    m_kept->setObjectName(QStringLiteral("sensitivityKept"));
    m_kept->setMinimum(1);
    auto* label = new QLabel(tr("&Keep the worst"), keep);
    label->setBuddy(m_kept);
    auto* after = new QLabel(tr("unquantized"), keep);
    after->setBuddy(m_kept);
    auto* add = new QPushButton(tr("Add to the sweep"), keep);
    add->setObjectName(QStringLiteral("sensitivityAdd"));
    add->setToolTip(tr("Add a cell to the draft that quantizes all other parts"));
    connect(add, &QPushButton::clicked, this, [this] {
        if (const core::Sensitivity* sensitivity = chosen())
            Q_EMIT filterWanted(QString::fromStdString(
                core::filterWithoutWorst(*sensitivity, static_cast<std::size_t>(m_kept->value()))));
    });
    auto* bar = new FlowLayout(keep, fontMetrics().averageCharWidth());
    for (QWidget* part : {static_cast<QWidget*>(m_which), static_cast<QWidget*>(m_gain),
                          static_cast<QWidget*>(label), static_cast<QWidget*>(m_kept),
                          static_cast<QWidget*>(after), static_cast<QWidget*>(add)})
        bar->addWidget(part);
    return keep;
}

QWidget* SensitivityView::buildOffer()
{
    auto* offer = new QWidget(this);
    auto* bar = new FlowLayout(offer, fontMetrics().averageCharWidth());
    bar->addWidget(new QLabel(tr("Sensitivity: a sweep with"), offer));
    const auto addButton = [&](const QString& text, const char* name, core::SensitivityUnit unit) {
        auto* button = new QPushButton(text, offer);
        button->setObjectName(QString::fromLatin1(name));
        button->setToolTip(tr("Change the draft: its first precision that quantizes, of each of "
                              "them alone and of all together"));
        connect(button, &QPushButton::clicked, this, [this, unit] { Q_EMIT sweepWanted(unit); });
        bar->addWidget(button);
    };
    addButton(tr("each block alone"), "sensitivityBlocks", core::SensitivityUnit::Block);
    addButton(tr("each layer alone"), "sensitivityLayers", core::SensitivityUnit::Layer);
    return offer;
}

void SensitivityView::setSweepPossible(bool possible)
{
    m_offer->setEnabled(possible);
}

void SensitivityView::setSearchPossible(bool possible)
{
    m_search->setPossible(possible);
}

void SensitivityView::showSearch(const LayerSearchState& state)
{
    m_search->showState(state);
    if (state.kind == LayerSearchState::Kind::Found)
        Q_EMIT filterWanted(state.filter);
}

void SensitivityView::beginSearch(const core::Gate& limit)
{
    if (const core::Sensitivity* sensitivity = chosen())
        Q_EMIT searchWanted(
            {*sensitivity, m_store.analysis().find(sensitivity->wholeId)->cell->config}, limit);
}

const core::Sensitivity* SensitivityView::chosen() const
{
    const auto index = static_cast<std::size_t>(std::max(0, m_which->currentIndex()));
    return index < m_found.size() ? &m_found[index] : nullptr;
}

void SensitivityView::showEvent(QShowEvent* event)
{
    refresh();
    QWidget::showEvent(event);
}

void SensitivityView::refresh()
{
    if (m_revision == m_store.revision() && m_revision != 0)
        return;
    m_revision = m_store.revision();
    m_found = m_store.isEmpty() ? std::vector<core::Sensitivity>()
                                : core::sensitivitiesOf(m_store.analysis());
    {
        const QSignalBlocker quiet(m_which);
        const QString before = m_which->currentText();
        m_which->clear();
        for (const core::Sensitivity& sensitivity : m_found) {
            const core::CellConfig& config =
                m_store.analysis().find(sensitivity.wholeId)->cell->config;
            m_which->addItem(tr("%1, %2, batch %3")
                                 .arg(QString::fromStdString(core::precisionText(config)),
                                      QString::fromStdString(config.compile),
                                      QString::number(config.batch)));
        }
        m_which->setCurrentIndex(std::max(0, m_which->findText(before)));
    }
    m_keep->setVisible(!m_found.empty());
    m_filter->setVisible(!m_found.empty());
    m_search->setVisible(!m_found.empty());
    m_plot->setVisible(!m_found.empty());
    showChosen();
}

void SensitivityView::showChosen()
{
    const core::Sensitivity* sensitivity = chosen();
    std::vector<SensitivityPoint> points;
    const auto gain = static_cast<Gain>(m_gain->currentData().toInt());
    if (sensitivity != nullptr) {
        for (const core::PartSensitivity& part : sensitivity->parts)
            points.push_back({QString::fromStdString(part.patterns),
                              QString::fromStdString(part.cellId), gainOf(part, gain),
                              part.distance});
        m_kept->setMaximum(static_cast<int>(points.size()));
        m_kept->setToolTip(plainTip(orderText(sensitivity->order)));
    }
    m_plot->setPoints(std::move(points),
                      gain == Gain::Bytes ? tr("MiB saved") : tr("ms per pass saved"),
                      tr("Loss of quality"));
    showKept();
}

void SensitivityView::showKept()
{
    const core::Sensitivity* sensitivity = chosen();
    const auto kept = static_cast<std::size_t>(m_kept->value());
    m_plot->setKept(kept);
    const QString filter =
        sensitivity == nullptr
            ? QString()
            : QString::fromStdString(core::filterWithoutWorst(*sensitivity, kept));
    m_filter->setText(filter);
    m_filter->setToolTip(plainTip(filter));
}

}  // namespace qs::widgets

#include "moc_sensitivity_view.cpp"
