#pragma once

#include "widgets/compare/map_scale.h"

#include <QWidget>

#include <array>

class QComboBox;
class QToolButton;

namespace qs::widgets {

// The panes from left to right.
enum class PaneRole { Input, Reference, A, B, Map };
inline constexpr int kPaneCount = 5;

// What a map compares A with.
enum class MapAgainst { Reference, B };

// The buttons and choosers above the panes. Holds what was chosen, says when it changes, and knows
// nothing about pictures.
class CompareControls final : public QWidget
{
    Q_OBJECT

public:
    explicit CompareControls(QWidget* parent = nullptr);

    [[nodiscard]] bool isPaneWanted(PaneRole role) const;
    // B has a pane only when it is another cell than the reference.
    void setBAvailable(bool available);
    [[nodiscard]] bool isSplit() const;
    // What stands left of the line in pane A: one of the names given, the first at the beginning.
    [[nodiscard]] int splitLeft() const;
    void setSplitChoices(const QStringList& names);
    [[nodiscard]] bool isStripWanted() const;
    void setRegionWanted(bool wanted);
    [[nodiscard]] MapScale scale() const;
    [[nodiscard]] MapAgainst against() const;
    // For the kind that is chosen; other kinds keep theirs.
    void setRange(double range);
    void setKind(MapKind kind);
    void setPictures(const QStringList& names, int selected);
    // The comparison has the whole window.
    void setLarge(bool large);

Q_SIGNALS:
    void panesChanged();
    void mapChanged();
    void splitChanged();
    void pictureChosen(int picture);
    void nextTileWanted();
    void fitWanted();
    void keepWanted();
    void stripToggled();
    void regionToggled(bool wanted);
    void largeToggled(bool wanted);

private:
    void buildPictureChooser();
    void buildPaneToggles();
    void buildTools();
    void buildMapChoosers();
    void fillRanges();
    // Controls that must not be torn apart at the end of a row.
    void addGroup(const QList<QWidget*>& widgets);

    QComboBox* m_pictures = nullptr;
    QToolButton* m_previous = nullptr;
    QToolButton* m_next = nullptr;
    std::array<QToolButton*, kPaneCount> m_panes{};
    QToolButton* m_split = nullptr;
    QComboBox* m_splitLeft = nullptr;
    QToolButton* m_strip = nullptr;
    QToolButton* m_region = nullptr;
    QToolButton* m_large = nullptr;
    QComboBox* m_kinds = nullptr;
    QComboBox* m_ranges = nullptr;
    QComboBox* m_against = nullptr;
    std::array<double, kMapKinds.size()> m_rangeOfKind{};
    bool m_bAvailable = false;
};

}  // namespace qs::widgets
