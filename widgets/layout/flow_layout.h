#pragma once

#include <QLayout>

#include <cstddef>
#include <memory>
#include <vector>

namespace qs::widgets {

// Puts widgets one after the other and begins a new row where the width ends, as words in a
// paragraph. A label and the field beside it that it names (its buddy) stay in one row, unless
// that is too narrow for both.
class FlowLayout final : public QLayout
{
public:
    explicit FlowLayout(QWidget* parent, int gap);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(m_items.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& area) override;

private:
    [[nodiscard]] std::vector<QLayoutItem*> shownItems() const;
    [[nodiscard]] int widthOfUnit(const std::vector<QLayoutItem*>& items, std::size_t begin,
                                  int room) const;
    // Places the items unless only the height is asked for; returns the height used.
    int arrange(const QRect& area, bool place) const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
    int m_gap;
};

}  // namespace qs::widgets
