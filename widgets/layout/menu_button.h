#pragma once

#include <QToolButton>

namespace qs::widgets {

// A button that opens its menu at once, with an arrow behind its word. The arrow that Fusion draws
// lies over the end of the word and reads like a comma.
class MenuButton final : public QToolButton
{
    Q_OBJECT

public:
    explicit MenuButton(QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void initStyleOption(QStyleOptionToolButton* option) const override;
};

}  // namespace qs::widgets
