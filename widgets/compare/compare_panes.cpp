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
        if (place < ComparedCells::kFirstPin)
            continue;
        const int pin = place - ComparedCells::kFirstPin + 1;
        pane->setRemovable(tr("Remove this pane (%1, or Delete)").arg(pin));
        connect(pane, &PicturePane::removeWanted, this, [this, pin] { Q_EMIT removeWanted(pin); });
    }
    for (int place = 0; place < ComparedCells::kCount; ++place)
        add(QStringLiteral("map") + ComparedCells::label(place));
}

PicturePane* ComparePanes::add(const QString& name)
{
    auto* pane = new PicturePane(m_view);
    pane->setObjectName(name);
    pane->hide();
    m_grid.addPane(pane);
    connect(pane, &PicturePane::regionDrawn, this, &ComparePanes::regionDrawn);
    connect(pane, &PicturePane::aloneWanted, this, [this, pane] { Q_EMIT aloneWanted(pane); });
    m_panes.push_back(pane);
    return pane;
}

PicturePane& ComparePanes::picture(int place) const
{
    return *m_panes.at(kFirstPicture + static_cast<std::size_t>(place));
}

PicturePane& ComparePanes::map(int place) const
{
    return picture(ComparedCells::kCount + place);
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

bool ComparePanes::isMap(const PicturePane& pane) const
{
    const auto maps = m_panes.end() - ComparedCells::kCount;
    return std::find(maps, m_panes.end(), &pane) != m_panes.end();
}

void ComparePanes::showOnly(const std::vector<const PicturePane*>& wanted)
{
    const auto isWanted = [&wanted](const PicturePane* pane) {
        return std::find(wanted.begin(), wanted.end(), pane) != wanted.end();
    };
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
    return (m_alone != nullptr ? *m_alone : picture(ComparedCells::kA)).viewport().size();
}

}  // namespace qs::widgets
