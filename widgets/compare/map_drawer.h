#pragma once

#include "widgets/background/latest_task.h"
#include "widgets/compare/loaded_pictures.h"
#include "widgets/compare/pane_image.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace qs::widgets {

// One map in its colours. Nothing but the scale where there is nothing to draw.
struct DrawnMap {
    std::shared_ptr<const Comparison> of;
    MapScale scale;
    PaneImage shown;
    double largest = 0.0;        // magnitude
    std::optional<double> mean;  // of FLIP and of the variants of SSIM, not of 1 - SSIM
    QString problem;             // why there is no map
};

// Colours maps on a worker. Lives on the GUI thread.
class MapDrawer final : public QObject
{
    Q_OBJECT

public:
    using Comparisons = std::vector<std::shared_ptr<const Comparison>>;  // may hold null

    explicit MapDrawer(QObject* parent = nullptr) : QObject(parent) {}

    // Draws what is not drawn yet; then drawn() is emitted, at once if nothing is to be done.
    void request(const Comparisons& comparisons, const MapWish& wish);
    void clear();
    // In order of the last request that was answered.
    [[nodiscard]] const std::vector<DrawnMap>& current() const { return m_current; }
    // Of all of them.
    [[nodiscard]] MapScale scale() const;
    [[nodiscard]] bool isBusy() const { return m_task.isBusy(); }

Q_SIGNALS:
    void drawn();

private:
    std::vector<DrawnMap> m_current;
    MapWish m_wish;  // of the current ones
    LatestTask<std::vector<DrawnMap>> m_task;
};

}  // namespace qs::widgets
