#include "widgets/compare/compare_panes.h"

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr std::size_t kFirstPicture = 2;

}  // namespace

ComparePanes::ComparePanes(PaneGrid& grid, SharedView& view) : m_grid(grid), m_view(view)
{
    add(QStringLiteral("input"));
    add(QStringLiteral("reference"));
    for (int place = 0; place < ComparedCells::kCount; ++place) {
        PicturePane* pane = add(QStringLiteral("picture") + ComparedCells::label(place));
        PicturePane* map = add(QStringLiteral("map") + ComparedCells::label(place));
        if (place < ComparedCells::kFirstPin)
            continue;
        const int pin = place - ComparedCells::kFirstPin + 1;
        for (PicturePane* each : {pane, map}) {
            each->setRemovable(tr("Remove this pane (%1, or Delete)").arg(pin));
            connect(each, &PicturePane::removeWanted, this,
                    [this, pin] { Q_EMIT removeWanted(pin); });
        }
    }
}

PicturePane* ComparePanes::add(const QString& name)
{
    auto* pane = new PicturePane(m_view);
    pane->setObjectName(name);
    pane->hide();
    m_grid.addPane(pane);
    connect(pane, &PicturePane::regionDrawn, this, &ComparePanes::regionDrawn);
    connect(pane, &PicturePane::aloneWanted, this, [this, pane] { Q_EMIT aloneWanted(pane); });
    connect(pane, &PicturePane::menuWanted, this,
            [this, pane](const QPoint& position) { Q_EMIT menuWanted(pane, position); });
    m_panes.push_back(pane);
    return pane;
}

PicturePane& ComparePanes::picture(int place) const
{
    return *m_panes.at(kFirstPicture + 2 * static_cast<std::size_t>(place));
}

PicturePane& ComparePanes::map(int place) const
{
    return *m_panes.at(kFirstPicture + 2 * static_cast<std::size_t>(place) + 1);
}

PicturePane& ComparePanes::seen(int place) const
{
    return map(place).isHidden() ? picture(place) : map(place);
}

PicturePane& ComparePanes::pinned(int pin) const
{
    return picture(ComparedCells::kFirstPin + pin - 1);
}

PicturePane& ComparePanes::pane(PaneRole role) const
{
    switch (role) {
    case PaneRole::Input:
        return input();
    case PaneRole::Reference:
        return reference();
    case PaneRole::A:
        return picture(ComparedCells::kA);
    case PaneRole::B:
        return picture(ComparedCells::kB);
    case PaneRole::Map:
        break;
    }
    return map(ComparedCells::kA);
}

const PicturePane* ComparePanes::counterpart(const PicturePane* pane) const
{
    for (int place = 0; place < ComparedCells::kCount; ++place) {
        if (pane == &picture(place))
            return &map(place);
        if (pane == &map(place))
            return &picture(place);
    }
    return nullptr;
}

void ComparePanes::showOnly(const std::vector<const PicturePane*>& wanted)
{
    const auto isWanted = [&wanted](const PicturePane* pane) {
        return std::find(wanted.begin(), wanted.end(), pane) != wanted.end();
    };
    // The map of a cell takes the place of its picture, also when that is alone.
    if (!isWanted(m_alone))
        m_alone = counterpart(m_alone);
    if (!isWanted(m_alone))
        m_alone = nullptr;
    for (PicturePane* pane : m_panes)
        pane->setVisible(isWanted(pane) && (m_alone == nullptr || pane == m_alone));
    m_grid.arrange();
}

const PicturePane* ComparePanes::inHand() const
{
    const PicturePane* pointed = nullptr;
    for (const PicturePane* pane : m_panes) {
        if (pane->hasFocus())
            return pane;
        if (pane->isVisible() && pane->underMouse())
            pointed = pane;
    }
    return pointed;
}

QSize ComparePanes::viewport() const
{
    return (m_alone != nullptr ? *m_alone : seen(ComparedCells::kA)).viewport().size();
}

}  // namespace qs::widgets

#include "moc_compare_panes.cpp"
