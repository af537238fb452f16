#pragma once

#include <QLabel>

namespace qs::widgets {

// A paragraph of at most some lines; what does not fit ends in "…" and is in the tool tip.
class ElidedParagraph final : public QLabel
{
public:
    explicit ElidedParagraph(int lines, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    // The lines as they fit, the last one elided.
    [[nodiscard]] QStringList linesFor(int width) const;

    int m_lines;
};

}  // namespace qs::widgets
