#include "widgets/compare/compare_controls.h"

#include "widgets/layout/flow_layout.h"
#include "widgets/models/plain_tip.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kGap = 4;

// Styles hardly tell a pressed button from another in a dark theme; a line in the accent colour
// does.
class ToggleButton : public QToolButton
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

// Arrows to two corners: no font is sure to have them.
class LargeButton final : public ToggleButton
{
protected:
    void paintEvent(QPaintEvent* event) override
    {
        ToggleButton::paintEvent(event);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled,
                                            QPalette::ButtonText),
                            1.4));
        const QPointF middle = QRectF(rect()).center();
        const double reach = fontMetrics().height() * 0.36;
        for (const double side : {1.0, -1.0}) {
            const QPointF tip = middle + QPointF(side * reach, -side * reach);
            painter.drawLine(middle + QPointF(side, -side), tip);
            painter.drawLine(tip, tip - QPointF(side * reach * 0.8, 0));
            painter.drawLine(tip, tip + QPointF(0, side * reach * 0.8));
        }
    }
};

QComboBox* makeChooser(const QString& name, const QString& accessible, const QString& tip)
{
    auto* chooser = new QComboBox;
    chooser->setObjectName(name);
    chooser->setAccessibleName(accessible);
    chooser->setToolTip(plainTip(tip));
    // A click must not take the keys N, S, 0 … 9, + and - away from the panes; Tab still gets
    // there.
    chooser->setFocusPolicy(Qt::TabFocus);
    return chooser;
}

QToolButton* makeButton(QToolButton* button, const QString& name, const QString& text,
                        const QString& tip)
{
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(plainTip(tip));
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
    buildTools();
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
                            tr("Previous image (Page Up)"));
    m_previous->setAccessibleName(tr("Previous image"));
    m_next = makeButton(new QToolButton, QStringLiteral("nextPicture"), tr("▶"),
                        tr("Next image (Page Down)"));
    m_next->setAccessibleName(tr("Next image"));
    m_pictures =
        makeChooser(QStringLiteral("pictures"), tr("Image"),
                    tr("The image to compare, with its SSIM between A and the quality reference"));
    m_pictures->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_previous, &QToolButton::clicked, this,
            [this] { Q_EMIT pictureChosen(m_pictures->currentIndex() - 1); });
    connect(m_next, &QToolButton::clicked, this,
            [this] { Q_EMIT pictureChosen(m_pictures->currentIndex() + 1); });
    connect(m_pictures, &QComboBox::activated, this, &CompareControls::pictureChosen);
    addGroup({m_previous, m_pictures, m_next});
}

void CompareControls::buildPaneToggles()
{
    const std::array<QString, kPaneCount> names{tr("Input"), tr("Reference"), tr("A"), tr("B"),
                                                tr("Map")};
    const std::array<QString, kPaneCount> tips{
        tr("The input image"), tr("The quality reference"), tr("The selected cell"),
        tr("The cell that the selected cell is compared with"),
        tr("A map beside each cell that shows where it differs")};
    QList<QWidget*> group;
    for (std::size_t i = 0; i < names.size(); ++i) {
        QToolButton* button = makeButton(new ToggleButton, QStringLiteral("pane%1").arg(i + 1),
                                         names[i], tr("Show or hide: %1").arg(tips[i]));
        button->setChecked(true);
        connect(button, &QToolButton::toggled, this, &CompareControls::panesChanged);
        m_panes[i] = button;
        group << button;
    }
    m_panes[static_cast<std::size_t>(PaneRole::B)]->setEnabled(m_bAvailable);
    QToolButton* keep =
        makeButton(new QToolButton, QStringLiteral("keep"), tr("+ A"),
                   tr("Pin the selected cell to its own pane, then select another cell (1 … 9: pin "
                      "to pane 1 … 9; press the key again to remove it)"));
    keep->setAccessibleName(tr("Pin A to its own pane"));
    connect(keep, &QToolButton::clicked, this, &CompareControls::keepWanted);
    group << keep;
    addGroup(group);
}

void CompareControls::buildTools()
{
    m_split = makeButton(new ToggleButton, QStringLiteral("split"), tr("Split"),
                         tr("Show another image to the left of a movable line in pane A; hold "
                            "Shift to see the reference in place of every cell"));
    m_splitLeft = makeChooser(QStringLiteral("splitLeft"), tr("Left of the line"),
                              tr("The image to the left of the line in pane A"));
    m_splitLeft->hide();
    connect(m_split, &QToolButton::toggled, this, [this](bool split) {
        m_splitLeft->setVisible(split);
        m_splitLeft->parentWidget()->setVisible(split);
        Q_EMIT splitChanged();
    });
    connect(m_splitLeft, &QComboBox::activated, this, &CompareControls::splitChanged);
    QToolButton* tile =
        makeButton(new QToolButton, QStringLiteral("nextTile"), tr("Worst tile"),
                   tr("Go to the 64 × 64 tile with the lowest SSIM, then to the next worst (N)"));
    connect(tile, &QToolButton::clicked, this, &CompareControls::nextTileWanted);
    m_strip = makeButton(
        new ToggleButton, QStringLiteral("strip"), tr("Strip"),
        tr("Show the worst tile of every cell of the run; click a tile to pin its cell"));
    m_strip->setChecked(true);
    connect(m_strip, &QToolButton::toggled, this, &CompareControls::stripToggled);
    m_region = makeButton(new ToggleButton, QStringLiteral("region"), tr("Region"),
                          tr("Drag a rectangle in an image to score it in every pane (S)"));
    connect(m_region, &QToolButton::toggled, this, &CompareControls::regionToggled);
    QToolButton* fit =
        makeButton(new QToolButton, QStringLiteral("fit"), tr("Fit"), tr("Whole image (0)"));
    connect(fit, &QToolButton::clicked, this, &CompareControls::fitWanted);
    m_large = makeButton(new LargeButton, QStringLiteral("large"), {},
                         tr("The images in the whole window (Space or F11); a double click on an "
                            "image shows it alone"));
    m_large->setAccessibleName(tr("Whole window"));
    m_large->setMinimumWidth(m_large->sizeHint().height() * 3 / 2);
    connect(m_large, &QToolButton::toggled, this, &CompareControls::largeToggled);
    addGroup({tile, m_strip, m_region, m_split, fit, m_large});
    addGroup({m_splitLeft});
    m_splitLeft->parentWidget()->hide();
}

void CompareControls::buildMapChoosers()
{
    m_kinds = makeChooser(QStringLiteral("mapKind"), tr("Kind of map"), {});
    for (const MapKind kind : kMapKinds) {
        m_kinds->addItem(kindName(kind));
        m_kinds->setItemData(m_kinds->count() - 1, plainTip(kindExplanation(kind)),
                             Qt::ToolTipRole);
    }
    // The row must not grow by the longest name; the list is as wide as it needs.
    constexpr int kLetters = 9;
    m_kinds->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kinds->setMinimumContentsLength(kLetters);
    m_kinds->view()->setMinimumWidth(m_kinds->view()->sizeHintForColumn(0));
    m_kinds->setToolTip(
        plainTip(tr("What the map shows:\n%1").arg(kindExplanation(kMapKinds.front()))));
    m_ranges = makeChooser(QStringLiteral("mapRange"), tr("Range of the colour scale"),
                           tr("Range of the colour scale. It stays the same for all cells."));
    m_against = makeChooser(QStringLiteral("mapAgainst"), tr("Map compares A with"),
                            tr("What the map compares A with"));
    m_against->addItems({tr("A against reference"), tr("A against B")});
    m_against->hide();
    fillRanges();
    connect(m_kinds, &QComboBox::currentIndexChanged, this, [this] {
        m_kinds->setToolTip(
            plainTip(tr("What the map shows:\n%1").arg(kindExplanation(scale().kind))));
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

int CompareControls::splitLeft() const
{
    return std::max(0, m_splitLeft->currentIndex());
}

void CompareControls::setSplitChoices(const QStringList& names)
{
    const QString chosen = m_splitLeft->currentText();
    const QSignalBlocker quiet(m_splitLeft);
    m_splitLeft->clear();
    m_splitLeft->addItems(names);
    m_splitLeft->setCurrentIndex(std::max(0, m_splitLeft->findText(chosen)));
}

bool CompareControls::isStripWanted() const
{
    return m_strip->isChecked();
}

void CompareControls::setRegionWanted(bool wanted)
{
    m_region->setChecked(wanted);
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

void CompareControls::setLarge(bool large)
{
    m_large->setChecked(large);
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
