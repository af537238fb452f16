#include "widgets/compare/compare_controls.h"

#include "widgets/compare/compare_buttons.h"
#include "widgets/layout/flow_layout.h"
#include "widgets/layout/menu_button.h"
#include "widgets/models/plain_tip.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kControlGap = 4;

QAction* addPaneAction(QMenu& menu, const QString& name, const QString& text, const QString& tip,
                       bool checked)
{
    QAction* action = menu.addAction(text);
    action->setObjectName(name);
    action->setToolTip(plainTip(tip));
    action->setCheckable(true);
    action->setChecked(checked);
    return action;
}

// Controls that must not be torn apart at the end of a row.
void addGroup(QLayout& layout, const QList<QWidget*>& widgets)
{
    auto* group = new QWidget;
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 6, 0);
    row->setSpacing(2);
    for (QWidget* widget : widgets)
        row->addWidget(widget);
    layout.addWidget(group);
}

}  // namespace

CompareControls::CompareControls(QWidget* parent) : QWidget(parent)
{
    new FlowLayout(this, kControlGap);
    buildPictureChooser();
    buildModes();
    buildTools();
    buildModeChoices();
    setMode(CompareMode::SideBySide);
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
    // Names of images must not move what stands right of them.
    constexpr int kLetters = 14;
    m_pictures->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_pictures->setMinimumContentsLength(kLetters);
    connect(m_previous, &QToolButton::clicked, this,
            [this] { Q_EMIT pictureChosen(m_pictures->currentIndex() - 1); });
    connect(m_next, &QToolButton::clicked, this,
            [this] { Q_EMIT pictureChosen(m_pictures->currentIndex() + 1); });
    connect(m_pictures, &QComboBox::activated, this, &CompareControls::pictureChosen);
    addGroup(*layout(), {m_previous, m_pictures, m_next});
}

void CompareControls::buildModes()
{
    struct Mode {
        const char* name;
        QString text;
        QString tip;
    };
    const std::array<Mode, kCompareModes.size()> modes{
        Mode{"modeSideBySide", tr("Side by side"),
             tr("Each cell beside the reference; hold Shift to see the reference in place of "
                "every cell, or use ← and →")},
        Mode{"modeWipe", tr("Wipe"),
             tr("Another image to the left of a movable line in pane A (W)")},
        Mode{"modeBlink", tr("Blink"),
             tr("The reference and each cell in turn at one place (B); ← and → by hand")},
        Mode{"modeMap", tr("Map"),
             tr("Where each cell differs from the reference, in its place (M)")}};
    QList<QWidget*> group;
    for (std::size_t i = 0; i < modes.size(); ++i) {
        m_modes[i] = makeButton(new ToggleButton, QString::fromLatin1(modes[i].name), modes[i].text,
                                modes[i].tip);
        connect(m_modes[i], &QToolButton::clicked, this, [this, i] { setMode(kCompareModes[i]); });
        group << m_modes[i];
    }
    addGroup(*layout(), group);
}

void CompareControls::buildTools()
{
    QToolButton* tile =
        makeButton(new QToolButton, QStringLiteral("nextTile"), tr("Worst tile"),
                   tr("Go to the 64 × 64 tile with the lowest SSIM, then to the next worst (N)"));
    connect(tile, &QToolButton::clicked, this, &CompareControls::nextTileWanted);
    m_region = makeButton(new ToggleButton, QStringLiteral("region"), tr("Region"),
                          tr("Drag a rectangle in an image to score it in every pane (S)"));
    connect(m_region, &QToolButton::toggled, this, &CompareControls::regionToggled);
    QToolButton* whole = makeButton(new QToolButton, QStringLiteral("wholePixels"), tr("1:1"),
                                    tr("One pixel of the image on one of the screen (Z)"));
    connect(whole, &QToolButton::clicked, this, &CompareControls::wholePixelsWanted);
    QToolButton* fit =
        makeButton(new QToolButton, QStringLiteral("fit"), tr("Fit"), tr("Whole image (0)"));
    connect(fit, &QToolButton::clicked, this, &CompareControls::fitWanted);
    m_large = makeButton(new LargeButton, QStringLiteral("large"), {},
                         tr("The images in the whole window (Space or F11); a double click on an "
                            "image shows it alone"));
    m_large->setAccessibleName(tr("Whole window"));
    m_large->setMinimumWidth(m_large->sizeHint().height() * 3 / 2);
    connect(m_large, &QToolButton::toggled, this, &CompareControls::largeToggled);
    auto* panes = new MenuButton;
    makeButton(panes, QStringLiteral("panes"), tr("Panes"), tr("More panes beside A"));
    buildPaneMenu();
    panes->setMenu(m_paneMenu);
    addGroup(*layout(), {tile, m_region});
    addGroup(*layout(), {whole, fit, m_large, panes});
}

void CompareControls::buildPaneMenu()
{
    m_paneMenu = new QMenu(this);
    m_paneMenu->setToolTipsVisible(true);
    const std::array<std::pair<PaneRole, std::pair<QString, QString>>, 3> panes{
        {{PaneRole::Input, {tr("&Input"), tr("The input image")}},
         {PaneRole::Reference, {tr("&Reference"), tr("The quality reference")}},
         {PaneRole::B, {tr("&B"), tr("The cell that the selected cell is compared with")}}}};
    for (const auto& [role, words] : panes) {
        const auto i = static_cast<std::size_t>(role);
        m_panes[i] = addPaneAction(*m_paneMenu, QStringLiteral("pane%1").arg(i + 1), words.first,
                                   words.second, role == PaneRole::Reference);
        connect(m_panes[i], &QAction::toggled, this, &CompareControls::panesChanged);
    }
    m_panes[static_cast<std::size_t>(PaneRole::B)]->setEnabled(m_bAvailable);
    m_paneMenu->addSeparator();
    QAction* keep = m_paneMenu->addAction(tr("&Pin A"));
    keep->setObjectName(QStringLiteral("keep"));
    keep->setToolTip(plainTip(tr("Pin the selected cell to its own pane, then select another cell "
                                 "(1 … 9: pin to pane 1 … 9; press the key again to remove it)")));
    connect(keep, &QAction::triggered, this, &CompareControls::keepWanted);
    m_paneMenu->addSeparator();
    m_strip = addPaneAction(
        *m_paneMenu, QStringLiteral("strip"), tr("Worst tile of &every cell"),
        tr("Show the worst tile in every cell of the run; click a tile to pin its cell"), true);
    connect(m_strip, &QAction::toggled, this, &CompareControls::stripToggled);
}

void CompareControls::buildModeChoices()
{
    m_modeChoices = new QWidget;
    m_splitLeft = makeChooser(QStringLiteral("splitLeft"), tr("Wiped or blinked with"),
                              tr("The image that A is wiped or blinked with, also by ← and →; pin "
                                 "a cell to have it here"));
    connect(m_splitLeft, &QComboBox::activated, this, &CompareControls::splitChanged);
    m_kinds = makeChooser(QStringLiteral("mapKind"), tr("Kind of map"), {});
    for (const MapKind kind : kMapKinds) {
        m_kinds->addItem(kindName(kind));
        m_kinds->setItemData(m_kinds->count() - 1, plainTip(kindExplanation(kind)),
                             Qt::ToolTipRole);
    }
    // The row must not grow by the longest name; the lists are as wide as they need.
    const auto limit = [](QComboBox& chooser, int letters) {
        chooser.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        chooser.setMinimumContentsLength(letters);
    };
    limit(*m_splitLeft, 14);
    limit(*m_kinds, 7);
    m_kinds->view()->setMinimumWidth(m_kinds->view()->sizeHintForColumn(0));
    m_kinds->setToolTip(
        plainTip(tr("What the map shows:\n%1").arg(kindExplanation(kMapKinds.front()))));
    m_ranges = makeChooser(QStringLiteral("mapRange"), tr("Range of the colour scale"),
                           tr("Range of the colour scale of all maps. Automatic: up to the 99.5th "
                              "percentile of the strongest map, rounded up"));
    fillRanges();
    limit(*m_ranges, 7);
    m_ranges->view()->setMinimumWidth(m_ranges->view()->sizeHintForColumn(0));
    connect(m_kinds, &QComboBox::currentIndexChanged, this, [this] {
        m_kinds->setToolTip(
            plainTip(tr("What the map shows:\n%1").arg(kindExplanation(mapWish().kind))));
        fillRanges();
        Q_EMIT mapChanged();
    });
    connect(m_ranges, &QComboBox::activated, this, [this](int index) {
        setRange(index == 0 ? std::nullopt
                            : std::optional(kMapRanges[static_cast<std::size_t>(index) - 1]));
    });
    auto* row = new QHBoxLayout(m_modeChoices);
    row->setContentsMargins(0, 0, 0, 0);
    for (QComboBox* chooser : {m_splitLeft, m_kinds, m_ranges})
        row->addWidget(chooser);
    m_modeChoices->setFixedHeight(m_kinds->sizeHint().height());
}

void CompareControls::fillRanges()
{
    const QSignalBlocker quiet(m_ranges);
    const MapWish chosen = mapWish();
    m_ranges->clear();
    m_ranges->addItem(tr("Automatic"));
    for (const double range : kMapRanges) {
        m_ranges->addItem(rangeText({.kind = chosen.kind, .range = range}));
        if (range == chosen.range)
            m_ranges->setCurrentIndex(m_ranges->count() - 1);
    }
}

bool CompareControls::isPaneWanted(PaneRole role) const
{
    if (role == PaneRole::A)
        return true;
    if (role == PaneRole::Map)
        return m_mode == CompareMode::Map;
    return m_panes[static_cast<std::size_t>(role)]->isChecked() &&
           (role != PaneRole::B || m_bAvailable);
}

void CompareControls::setBAvailable(bool available, bool ofOtherRun)
{
    m_bAvailable = available;
    QAction* b = m_panes[static_cast<std::size_t>(PaneRole::B)];
    b->setEnabled(available);
    if (std::exchange(m_otherRun, ofOtherRun) == ofOtherRun)
        return;
    if (ofOtherRun)
        m_bBefore = b->isChecked();
    b->setChecked(ofOtherRun || m_bBefore);
}

void CompareControls::setMode(CompareMode mode)
{
    const bool changed = std::exchange(m_mode, mode) != mode;
    for (std::size_t i = 0; i < m_modes.size(); ++i)
        m_modes[i]->setChecked(kCompareModes[i] == mode);
    m_splitLeft->setVisible(mode == CompareMode::Wipe || mode == CompareMode::Blink);
    m_kinds->setVisible(mode == CompareMode::Map);
    m_ranges->setVisible(mode == CompareMode::Map);
    if (changed)
        Q_EMIT modeChanged(mode);
}

void CompareControls::toggleMode(CompareMode mode)
{
    setMode(m_mode == mode ? CompareMode::SideBySide : mode);
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
    m_splitLeft->view()->setMinimumWidth(m_splitLeft->view()->sizeHintForColumn(0));
}

bool CompareControls::isStripWanted() const
{
    return m_strip->isChecked();
}

void CompareControls::setRegionWanted(bool wanted)
{
    m_region->setChecked(wanted);
}

MapWish CompareControls::mapWish() const
{
    const auto index = static_cast<std::size_t>(m_kinds->currentIndex());
    return {.kind = kMapKinds[index], .range = m_rangeOfKind[index]};
}

void CompareControls::setRange(std::optional<double> range)
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
    m_pictures->view()->setMinimumWidth(m_pictures->view()->sizeHintForColumn(0));
    m_previous->setEnabled(selected > 0);
    m_next->setEnabled(selected >= 0 && selected + 1 < names.size());
}

}  // namespace qs::widgets

#include "moc_compare_controls.cpp"
