#pragma once

#include "core/stats/histogram.h"

#include <QWidget>

#include <vector>

namespace qs::widgets {

// How often differences of which size occur, as bars.
class DifferencePlot final : public QWidget
{
    Q_OBJECT

public:
    explicit DifferencePlot(QWidget* parent = nullptr);

    void setBins(std::vector<core::HistogramBin> bins);
    [[nodiscard]] const std::vector<core::HistogramBin>& bins() const { return m_bins; }

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<core::HistogramBin> m_bins;
};

}  // namespace qs::widgets
