#pragma once

#include <QWidget>

#include <vector>

namespace qs::widgets {

class PicturePane;

// How many columns give `count` square pictures the largest side in a given area, when each needs
// `textHeight` besides; the most columns among equals.
[[nodiscard]] int bestColumns(int count, QSize area, int textHeight);

// The visible panes side by side, or in as many rows as make them largest.
class PaneGrid final : public QWidget
{
    Q_OBJECT

public:
    explicit PaneGrid(QWidget* parent = nullptr);

    // Takes part in the layout from now on; becomes a child.
    void addPane(PicturePane* pane);
    // Lays out again; call it after showing or hiding panes.
    void arrange();
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    // Panes have other sizes, so the whole picture has another scale.
    void arranged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    using Panes = std::vector<PicturePane*>;

    [[nodiscard]] Panes shownPanes() const;

    Panes m_panes;
};

}  // namespace qs::widgets
