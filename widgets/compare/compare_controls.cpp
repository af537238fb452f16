#include "widgets/compare/compare_controls.h"

#include "widgets/layout/flow_layout.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>

namespace qs::widgets {

namespace {

constexpr int kGap = 4;

// Styles hardly tell a pressed button from another in a dark theme; a line in the accent colour
// does.
class ToggleButton final : public QToolButton
{
public:
    ToggleButton() { setCheckable(true); }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QToolButton::paintEvent(event);
        if (!isChecked() || !isEnabled())
            return;
        QPainter painter(this);
        painter.fillRect(QRect(4, height() - 4, width() - 8, 2),
                         palette().color(QPalette::Highlight));
    }
};

QComboBox* makeChooser(const QString& name, const QString& accessible, const QString& tip)
{
    auto* chooser = new QComboBox;
    chooser->setObjectName(name);
    chooser->setAccessibleName(accessible);
    chooser->setToolTip(tip);
    // A click must not take the keys N, 0 … 9, + and - away from the panes; Tab still gets there.
    chooser->setFocusPolicy(Qt::TabFocus);
    return chooser;
}

QToolButton* makeButton(QToolButton* button, const QString& name, const QString& text,
                        const QString& tip)
{
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(text);
    button->setAccessibleDescription(tip);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

}  // namespace

CompareControls::CompareControls(QWidget* parent) : QWidget(parent)
{
    for (const MapKind kind : kMapKinds)
        m_rangeOfKind[static_cast<std::size_t>(kind)] = defaultRange(kind);
    new FlowLayout(this, kGap);
    buildPictureChooser();
    buildPaneToggles();
    buildMapChoosers();
}

void CompareControls::addGroup(const QList<QWidget*>& widgets)
{
    auto* group = new QWidget;
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 6, 0);
    row->setSpacing(2);
    for (QWidget* widget : widgets)
        row->addWidget(widget);
    layout()->addWidget(group);
}

void CompareControls::buildPictureChooser()
{
    m_previous = makeButton(new QToolButton, QStringLiteral("previousPicture"), tr("◀"),
                            tr("Previous picture (Page Up)"));
    m_previous->setAccessibleName(tr("Previous picture"));
    m_next = makeButton(new QToolButton, QStringLiteral("nextPicture"), tr("▶"),
                        tr("Next picture (Page Down)"));
    m_next->setAccessibleName(tr("Next picture"));
    m_pictures = makeChooser(QStringLiteral("pictures"), tr("Picture"),
                             tr("The picture that is compared, with its SSIM between A and the "
                                "quality reference"));
    m_pictures->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    QToolButton* tile =
        makeButton(new QToolButton, QStringLiteral("nextTile"), tr("Worst tile"),
                   tr("Show the 64 × 64 tile with the lowest SSIM, then the next worst "
                      "(N)"));
    connect(m_previous, &QToolButton::clicked, this,
            [this] { Q_EMIT pictureChosen(m_pictures->currentIndex() - 1); });
    connect(m_next, &QToolButton::clicked, this,
            [this] { Q_EMIT pictureChosen(m_pictures->currentIndex() + 1); });
    connect(m_pictures, &QComboBox::activated, this, &CompareControls::pictureChosen);
    connect(tile, &QToolButton::clicked, this, &CompareControls::nextTileWanted);
    addGroup({m_previous, m_pictures, m_next, tile});
}

void CompareControls::buildPaneToggles()
{
    const std::array<QString, kPaneCount> names{tr("Input"), tr("Reference"), tr("A"), tr("B"),
                                                tr("Map")};
    QList<QWidget*> group;
    for (std::size_t i = 0; i < names.size(); ++i) {
        QToolButton* button = makeButton(new ToggleButton, QStringLiteral("pane%1").arg(i + 1),
                                         names[i], tr("Show or hide this pane (%1)").arg(i + 1));
        button->setChecked(true);
        connect(button, &QToolButton::toggled, this, &CompareControls::panesChanged);
        m_panes[i] = button;
        group << button;
    }
    m_panes[static_cast<std::size_t>(PaneRole::B)]->setEnabled(m_bAvailable);
    m_split = makeButton(new ToggleButton, QStringLiteral("split"), tr("Split"),
                         tr("Show the reference left of a movable line in pane A; hold Shift to "
                            "see the whole reference there"));
    connect(m_split, &QToolButton::toggled, this, &CompareControls::splitChanged);
    QToolButton* fit =
        makeButton(new QToolButton, QStringLiteral("fit"), tr("Fit"), tr("Whole picture (0)"));
    connect(fit, &QToolButton::clicked, this, &CompareControls::fitWanted);
    group << m_split << fit;
    addGroup(group);
}

void CompareControls::buildMapChoosers()
{
    m_kinds = makeChooser(QStringLiteral("mapKind"), tr("Kind of map"), {});
    for (const MapKind kind : kMapKinds) {
        m_kinds->addItem(kindName(kind));
        m_kinds->setItemData(m_kinds->count() - 1, kindExplanation(kind), Qt::ToolTipRole);
    }
    m_kinds->setToolTip(tr("What the map shows:\n%1").arg(kindExplanation(kMapKinds.front())));
    m_ranges = makeChooser(QStringLiteral("mapRange"), tr("Range of the colour scale"),
                           tr("Range of the colour scale. It is kept from cell to cell."));
    m_against = makeChooser(QStringLiteral("mapAgainst"), tr("Map compares A with"),
                            tr("What the map compares A with"));
    m_against->addItems({tr("A against reference"), tr("A against B")});
    m_against->hide();
    fillRanges();
    connect(m_kinds, &QComboBox::currentIndexChanged, this, [this] {
        m_kinds->setToolTip(tr("What the map shows:\n%1").arg(kindExplanation(scale().kind)));
        fillRanges();
        Q_EMIT mapChanged();
    });
    connect(m_ranges, &QComboBox::activated, this,
            [this](int index) { setRange(kMapRanges[static_cast<std::size_t>(index)]); });
    connect(m_against, &QComboBox::currentIndexChanged, this, &CompareControls::mapChanged);
    addGroup({m_kinds, m_ranges});
    addGroup({m_against});
}

void CompareControls::fillRanges()
{
    const QSignalBlocker quiet(m_ranges);
    const MapScale chosen = scale();
    m_ranges->clear();
    for (const double range : kMapRanges) {
        m_ranges->addItem(rangeText({.kind = chosen.kind, .range = range}));
        if (range == chosen.range)
            m_ranges->setCurrentIndex(m_ranges->count() - 1);
    }
}

bool CompareControls::isPaneWanted(PaneRole role) const
{
    return m_panes[static_cast<std::size_t>(role)]->isChecked() &&
           (role != PaneRole::B || m_bAvailable);
}

void CompareControls::togglePane(PaneRole role)
{
    if (QToolButton* button = m_panes[static_cast<std::size_t>(role)]; button->isEnabled())
        button->toggle();
}

void CompareControls::setBAvailable(bool available)
{
    if (available == m_bAvailable)
        return;
    m_bAvailable = available;
    m_panes[static_cast<std::size_t>(PaneRole::B)]->setEnabled(available);
    m_against->parentWidget()->setVisible(available);
    m_against->setVisible(available);
}

bool CompareControls::isSplit() const
{
    return m_split->isChecked();
}

MapScale CompareControls::scale() const
{
    const auto index = static_cast<std::size_t>(m_kinds->currentIndex());
    return {.kind = kMapKinds[index], .range = m_rangeOfKind[index]};
}

MapAgainst CompareControls::against() const
{
    return m_bAvailable && m_against->currentIndex() == 1 ? MapAgainst::B : MapAgainst::Reference;
}

void CompareControls::setRange(double range)
{
    m_rangeOfKind[static_cast<std::size_t>(m_kinds->currentIndex())] = range;
    fillRanges();
    Q_EMIT mapChanged();
}

void CompareControls::setKind(MapKind kind)
{
    m_kinds->setCurrentIndex(static_cast<int>(kind));
}

void CompareControls::setPictures(const QStringList& names, int selected)
{
    const QSignalBlocker quiet(m_pictures);
    m_pictures->clear();
    m_pictures->addItems(names);
    m_pictures->setCurrentIndex(selected);
    m_previous->setEnabled(selected > 0);
    m_next->setEnabled(selected >= 0 && selected + 1 < names.size());
    updateGeometry();
}

}  // namespace qs::widgets
