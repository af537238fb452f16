#pragma once

#include <QTableView>

class QLabel;

namespace qs::widgets {

class PrecisionHeader;
class PrecisionPairs;

// The matrix of pairs to click, or to walk with the arrow keys and Space. All of its height is
// visible; a narrow panel scrolls it sideways, beside names that stay.
class PrecisionMatrix final : public QTableView
{
    Q_OBJECT

public:
    explicit PrecisionMatrix(PrecisionPairs& pairs, QWidget* parent = nullptr);

    // Names of the stages, in the corner until a pair is pointed at, which is then named there.
    void setLegend(const QString& legend);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    // For the parameters of a scheme; `place` on the screen.
    void optionsRequested(std::size_t entry, const QRect& place);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void updateGeometries() override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    // Pixels of one pair.
    [[nodiscard]] int boxSize() const;
    // Of all columns.
    [[nodiscard]] int wholeWidth() const;
    void fit();
    // At the pair under the mouse, or else that of the keyboard; invalid: none.
    void pointAt(const QModelIndex& index);
    void pointAtCurrent();
    void askForOptions(PrecisionHeader& header, int section);

    PrecisionPairs& m_pairs;
    PrecisionHeader* m_columns;
    PrecisionHeader* m_rows;
    QLabel* m_corner;
    QString m_legend;
};

}  // namespace qs::widgets
