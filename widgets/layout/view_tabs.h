#pragma once

#include <QTabWidget>

#include <vector>

namespace qs::widgets {

// The width that no tab may be wider than, so that all of these fit into `room`: the longest names
// give way first, short ones stay whole.
[[nodiscard]] int widestTab(std::vector<int> widths, int room);

// Tabs that are all in sight. Where there is little room the longest names are cut, each to the
// same width. The view in front may want all the room there is.
class ViewTabs final : public QTabWidget
{
    Q_OBJECT

public:
    explicit ViewTabs(QWidget* parent = nullptr);

    [[nodiscard]] bool wantsRoom() const { return m_wantsRoom; }
    void setWantsRoom(bool wanted);

Q_SIGNALS:
    void roomWanted(bool wanted);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    bool m_wantsRoom = false;
};

}  // namespace qs::widgets
