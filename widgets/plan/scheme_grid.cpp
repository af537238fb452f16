#include "widgets/plan/scheme_grid.h"

#include "widgets/plan/scheme_box.h"

#include <QCheckBox>
#include <QEvent>
#include <QGridLayout>
#include <QSignalBlocker>
#include <QToolButton>

namespace qs::widgets {

namespace {

constexpr int kSchemeColumns = 2;

}  // namespace

SchemeGrid::SchemeGrid(SweptSchemes& swept, QWidget* parent) : QWidget(parent), m_swept(swept)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(0);
    grid->setVerticalSpacing(2);
    for (const core::Scheme& scheme : core::offeredSchemes())
        add(scheme);
    // A box and its button stand together; what is left of a wide panel is behind them.
    for (int column = 0; column < kSchemeColumns; ++column)
        grid->setColumnStretch(3 * column + 2, 1);
    setFocusProxy(m_cells.front().box);
}

void SchemeGrid::add(const core::Scheme& scheme)
{
    const auto offered = std::size_t(m_cells.size());
    auto* grid = qobject_cast<QGridLayout*>(layout());
    const int row = int(offered) / kSchemeColumns;
    const int column = int(offered) % kSchemeColumns * 3;
    auto* box = newSchemeBox(QString::fromStdString(scheme.text()), this);
    grid->addWidget(box, row, column);
    connect(box, &QCheckBox::clicked, this, [this, offered] { toggle(offered); });
    QToolButton* options = nullptr;
    if (!scheme->parameters.empty()) {
        options = newOptionsButton(QString::fromStdString(scheme.text()), this);
        grid->addWidget(options, row, column + 1);
        connect(options, &QToolButton::clicked, this, [this, offered, options] {
            Q_EMIT optionsRequested(m_swept.placeOf(offered), placeOnScreen(*options));
        });
    }
    m_cells.push_back({scheme, box, options});
}

void SchemeGrid::refresh()
{
    for (qsizetype i = 0; i < m_cells.size(); ++i) {
        const std::size_t entry = m_swept.placeOf(std::size_t(i));
        m_cells[i].box->setChecked(m_swept.has({entry, entry}));
        showScheme(*m_cells[i].box, m_cells[i].scheme, m_reasons);
    }
}

void SchemeGrid::setReasons(const Reasons& reasons)
{
    m_reasons = reasons;
    refresh();
}

QToolButton* SchemeGrid::optionsButton(std::size_t offered) const
{
    return m_cells[qsizetype(offered)].options;
}

void SchemeGrid::toggle(std::size_t offered)
{
    const std::size_t entry = m_swept.placeOf(offered);
    const bool changed = m_swept.toggle({entry, entry});
    refresh();
    if (changed)
        Q_EMIT edited();
}

void SchemeGrid::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

}  // namespace qs::widgets

#include "moc_scheme_grid.cpp"
