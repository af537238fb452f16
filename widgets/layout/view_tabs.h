#pragma once

#include <QTabWidget>

#include <vector>

namespace qs::widgets {

// The width that no tab may be wider than, so that all of these fit into `room`: the longest names
// give way first, short ones stay whole.
[[nodiscard]] int widestTab(std::vector<int> widths, int room);

// Tabs that are all in sight. Where there is little room the longest names are cut, each to the
// same width.
class ViewTabs final : public QTabWidget
{
    Q_OBJECT

public:
    explicit ViewTabs(QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;
};

}  // namespace qs::widgets
