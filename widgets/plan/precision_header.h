#pragma once

#include <QHeaderView>

namespace qs::widgets {

// The names beside or above a matrix of pairs: those of columns stand upright, so that columns are
// as wide as a box to click. Three dots tell of parameters. The name of the pair that is pointed at
// stands out.
class PrecisionHeader final : public QHeaderView
{
    Q_OBJECT

public:
    PrecisionHeader(Qt::Orientation orientation, QWidget* parent);

    // -1: none.
    void setPointed(int section);
    // A name whole, or with its middle left out where it is longer than any scheme's.
    [[nodiscard]] QString title(int section) const;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& area, int section) const override;

private:
    // Along the text, with the dots.
    [[nodiscard]] int lengthOf(int section) const;

    int m_pointed = -1;
};

}  // namespace qs::widgets
