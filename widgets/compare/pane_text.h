#pragma once

#include <QFont>
#include <QRect>
#include <QString>
#include <QStringList>
#include <QWidget>

namespace qs::widgets {

// What stands above a picture.
struct PaneText {
    QString title;
    QStringList caption = {};  // parts of one line; what does not fit is in the tooltip
    QString details = {};      // for the tooltip alone

    // All of it.
    [[nodiscard]] QString toolTip() const;
};

// Lays out the texts around the picture of a pane, in the font and the colours of that pane: a line
// of title and one of caption above it, one of the value under the cursor below. No text changes
// where the picture stands, so that pictures can be compared by blinking.
class PaneTextLayout final
{
public:
    // `pane` must outlive the layout.
    explicit PaneTextLayout(const QWidget& pane) : m_pane(pane) {}

    void setText(PaneText text) { m_text = std::move(text); }
    [[nodiscard]] const PaneText& text() const { return m_text; }
    // Room at the end of the first line that is not for the title.
    void setReserved(bool reserved) { m_reserved = reserved; }
    // Of all texts together.
    [[nodiscard]] int height() const;
    [[nodiscard]] int lineHeight() const;
    // What is left for the picture.
    [[nodiscard]] QRect pictureArea() const;

    void paint(QPainter& painter) const;
    // Below the picture.
    void paintValue(QPainter& painter, const QString& value) const;

private:
    [[nodiscard]] QFont titleFont() const;
    void paintLine(QPainter& painter, QRect room, const QFont& font, const QString& text) const;

    const QWidget& m_pane;
    PaneText m_text;
    bool m_reserved = false;
};

}  // namespace qs::widgets
