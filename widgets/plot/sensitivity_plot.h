#pragma once

#include <QString>
#include <QWidget>

#include <cstddef>
#include <vector>

class QCustomPlot;

namespace qs::widgets {

// A layer or block that was quantized alone.
struct SensitivityPoint {
    QString name;
    QString cellId;
    double gain = 0.0;
    double loss = 0.0;
};

// Loss of quality against what quantizing each part brings, worst parts first. Those that are kept
// unquantized are rings, all others are filled.
class SensitivityPlot final : public QWidget
{
    Q_OBJECT

public:
    explicit SensitivityPlot(QWidget* parent = nullptr);

    void setPoints(std::vector<SensitivityPoint> points, const QString& gainTitle,
                   const QString& lossTitle);
    void setKept(std::size_t kept);
    // Of the widget; where a point is drawn.
    [[nodiscard]] QPointF placeOf(std::size_t point) const;

Q_SIGNALS:
    void cellClicked(const QString& cellId);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void draw();
    void addPoints(std::size_t first, std::size_t end, bool kept);
    // The point under the mouse; null for none.
    [[nodiscard]] const SensitivityPoint* pointAt(const QPointF& place) const;

    std::vector<SensitivityPoint> m_points;
    std::size_t m_kept = 0;
    QString m_gainTitle;
    QString m_lossTitle;
    QCustomPlot* m_plot;  // child
};

}  // namespace qs::widgets
