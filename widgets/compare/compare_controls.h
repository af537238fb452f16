#pragma once

#include "widgets/compare/map_scale.h"

#include <QWidget>

#include <array>

class QAction;
class QComboBox;
class QMenu;
class QToolButton;

namespace qs::widgets {

// The panes from left to right. A is always there.
enum class PaneRole { Input, Reference, A, B, Map };
inline constexpr int kPaneCount = 5;

// What the panes of the cells show. Nothing moves between one and the other.
enum class CompareMode {
    SideBySide,  // each its own image
    Wipe,        // A upon another image, with a line between them
    Blink,       // in turn with the reference
    Map,         // where it differs from the reference
};
inline constexpr std::array kCompareModes{CompareMode::SideBySide, CompareMode::Wipe,
                                          CompareMode::Blink, CompareMode::Map};

// The buttons and choosers around the panes: a row above them, and what a mode needs below. Holds
// what was chosen, says when it changes, and knows nothing about pictures.
class CompareControls final : public QWidget
{
    Q_OBJECT

public:
    explicit CompareControls(QWidget* parent = nullptr);

    [[nodiscard]] bool isPaneWanted(PaneRole role) const;
    // B has a pane only when it is another cell than the reference. While it is of another run its
    // pane is seen; afterwards it is as it was before.
    void setBAvailable(bool available, bool ofOtherRun);
    [[nodiscard]] CompareMode mode() const { return m_mode; }
    void setMode(CompareMode mode);
    // To this mode, or back to images side by side.
    void toggleMode(CompareMode mode);
    // What A is wiped or blinked with: one of the names given, the first at the beginning.
    [[nodiscard]] int splitLeft() const;
    void setSplitChoices(const QStringList& names);
    [[nodiscard]] bool isStripWanted() const;
    void setRegionWanted(bool wanted);
    [[nodiscard]] MapWish mapWish() const;
    // For the kind that is chosen; other kinds keep theirs.
    void setRange(std::optional<double> range);
    void setKind(MapKind kind);
    void setPictures(const QStringList& names, int selected);
    // The comparison has the whole window.
    void setLarge(bool large);
    // Of more panes and tools.
    [[nodiscard]] QMenu& paneMenu() const { return *m_paneMenu; }
    // What the mode needs, to be placed below the panes; always equally high. Owned by its parent.
    [[nodiscard]] QWidget* modeChoices() const { return m_modeChoices; }

Q_SIGNALS:
    void panesChanged();
    void modeChanged(CompareMode mode);
    void mapChanged();
    void splitChanged();
    void pictureChosen(int picture);
    void nextTileWanted();
    void fitWanted();
    void wholePixelsWanted();
    void keepWanted();
    void stripToggled();
    void regionToggled(bool wanted);
    void largeToggled(bool wanted);

private:
    void buildPictureChooser();
    void buildModes();
    void buildTools();
    void buildPaneMenu();
    void buildModeChoices();
    void fillRanges();

    CompareMode m_mode = CompareMode::SideBySide;
    QComboBox* m_pictures = nullptr;
    QToolButton* m_previous = nullptr;
    QToolButton* m_next = nullptr;
    std::array<QToolButton*, kCompareModes.size()> m_modes{};
    QMenu* m_paneMenu = nullptr;
    std::array<QAction*, kPaneCount> m_panes{};  // null for A and its map
    QAction* m_strip = nullptr;
    QToolButton* m_region = nullptr;
    QToolButton* m_large = nullptr;
    QWidget* m_modeChoices = nullptr;
    QComboBox* m_splitLeft = nullptr;
    QComboBox* m_kinds = nullptr;
    QComboBox* m_ranges = nullptr;
    std::array<std::optional<double>, kMapKinds.size()> m_rangeOfKind{};
    bool m_bAvailable = false;
    bool m_otherRun = false;
    bool m_bBefore = false;  // its pane was wanted before another run came
};

}  // namespace qs::widgets
