#include "widgets/model/sensitivity_search.h"

#include "widgets/layout/elided_paragraph.h"
#include "widgets/layout/flow_layout.h"
#include "widgets/models/plain_tip.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace qs::widgets {

namespace {

constexpr int kLimitCharacters = 20;

QString textOf(const LayerSearchState& state)
{
    using Kind = LayerSearchState::Kind;
    switch (state.kind) {
    case Kind::Idle:
        return {};
    case Kind::Measuring:
        return SensitivitySearch::tr("Measuring with %1 of %2 unquantized; %3 looked at before")
            .arg(state.kept)
            .arg(state.parts)
            .arg(state.looked);
    case Kind::Found:
        return SensitivitySearch::tr("Meets the limit, added to the sweep: %1").arg(state.filter);
    case Kind::NothingMeets:
        return SensitivitySearch::tr("Nothing but leaving every part unquantized meets the limit");
    case Kind::Stopped:
        return SensitivitySearch::tr("Stopped; what was measured stays in the run");
    case Kind::Failed:
        return state.problem;
    }
    return {};
}

}  // namespace

SensitivitySearch::SensitivitySearch(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("sensitivitySearch"));
    auto* row = new QWidget(this);
    m_limit = new QLineEdit(row);
    m_limit->setObjectName(QStringLiteral("sensitivityLimit"));
    m_limit->setPlaceholderText(QStringLiteral("ssim_mean >= 0.99"));
    m_limit->setToolTip(tr("Limit on quality: a metric, a relation and a value"));
    m_limit->setMinimumWidth(fontMetrics().averageCharWidth() * kLimitCharacters);
    auto* label = new QLabel(tr("Limit"), row);
    label->setBuddy(m_limit);
    m_find = new QPushButton(tr("Find the fewest"), row);
    m_find->setObjectName(QStringLiteral("sensitivityFind"));
    m_find->setToolTip(plainTip(tr("Measure cells in this run until the fewest parts are known "
                                   "that have to stay unquantized to meet the limit, in the order "
                                   "of their loss, and add that cell to the draft")));
    m_stop = new QPushButton(tr("Stop searching"), row);
    m_stop->setObjectName(QStringLiteral("sensitivityStop"));
    m_stop->setToolTip(tr("Stop after the cell that is being measured"));
    m_text = new ElidedParagraph(1, this);
    m_text->setObjectName(QStringLiteral("sensitivitySearchText"));
    auto* bar = new FlowLayout(row, fontMetrics().averageCharWidth());
    for (QWidget* part : {static_cast<QWidget*>(label), static_cast<QWidget*>(m_limit),
                          static_cast<QWidget*>(m_find), static_cast<QWidget*>(m_stop)})
        bar->addWidget(part);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(row);
    column->addWidget(m_text);
    connect(m_find, &QPushButton::clicked, this, &SensitivitySearch::begin);
    connect(m_limit, &QLineEdit::returnPressed, m_find, &QPushButton::click);
    connect(m_stop, &QPushButton::clicked, this, &SensitivitySearch::stopWanted);
    updateButtons();
}

void SensitivitySearch::setPossible(bool possible)
{
    m_possible = possible;
    updateButtons();
}

void SensitivitySearch::showState(const LayerSearchState& state)
{
    m_searching = state.kind == LayerSearchState::Kind::Measuring;
    const QString text = textOf(state);
    m_text->setText(text);
    m_text->setToolTip(plainTip(text));
    updateButtons();
}

void SensitivitySearch::begin()
{
    const auto limit = core::gateFromText(m_limit->text().toStdString());
    if (limit.ok())
        Q_EMIT wanted(limit.value());
    else
        showState({.kind = LayerSearchState::Kind::Failed,
                   .problem = QString::fromStdString(limit.error().message)});
}

void SensitivitySearch::updateButtons()
{
    m_find->setEnabled(m_possible && !m_searching);
    m_stop->setEnabled(m_searching);
}

}  // namespace qs::widgets

#include "moc_sensitivity_search.cpp"
