#pragma once

#include "widgets/plot/qcustomplot.h"

#include <vector>

namespace qs::widgets {

// The row that each of these stands in, one beside the other in rows of `width`; they have a gap
// between them, and one that is wider has a row of its own.
[[nodiscard]] std::vector<int> flowRows(const std::vector<int>& widths, int width);

// A legend whose entries stand beside each other like words, as many in a row as fit: columns as
// wide as the longest name would take twice the height from the axes. Or one below the other.
class FlowLegend final : public QCPLegend
{
public:
    // 0: one below the other, as wide as it takes.
    void setRowWidth(int width) { m_rowWidth = width; }

    void updateLayout() override;
    [[nodiscard]] QSize minimumOuterSizeHint() const override;
    [[nodiscard]] QSize maximumOuterSizeHint() const override;

private:
    [[nodiscard]] std::vector<int> rows() const;

    int m_rowWidth = 0;
};

// What its icon leaves an entry of a row for its name.
[[nodiscard]] int flowNameWidth(int rowWidth, int iconWidth);
// What an entry with that name takes of a row.
[[nodiscard]] int flowEntryWidth(const QString& name, const QFont& font, int iconWidth);

}  // namespace qs::widgets
