#pragma once

#include <QListView>

namespace qs::widgets {

// TileStripModel as a strip of tiles. A click or Enter chooses a cell, a digit says for which pane.
class TileStripView final : public QListView
{
    Q_OBJECT

public:
    explicit TileStripView(QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {100, sizeHint().height()}; }

Q_SIGNALS:
    void chosen(int row);
    // `pane` is 1 … 9.
    void chosenFor(int row, int pane);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fixHeight();
};

}  // namespace qs::widgets
