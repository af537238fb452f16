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
    QStringList caption = {};  // paragraphs, broken between their parts where the pane is narrow
    QString details = {};      // for the tooltip alone

    // All of it.
    [[nodiscard]] QString toolTip() const;
};

// Lays out the texts around the picture of a pane, in the font and the colours of that pane.
class PaneTextLayout final
{
public:
    // Lines of title and caption at most; the tooltip has the rest.
    static constexpr int kMostRows = 8;

    // `pane` must outlive the layout.
    explicit PaneTextLayout(const QWidget& pane) : m_pane(pane) {}

    void setText(PaneText text) { m_text = std::move(text); }
    [[nodiscard]] const PaneText& text() const { return m_text; }
    // Room at the end of the first line that is not for the title.
    void setReserved(bool reserved) { m_reserved = reserved; }
    // Lines that are kept free above the picture.
    void setRows(int rows) { m_rows = rows; }
    [[nodiscard]] int rows() const { return m_rows; }

    // Lines that title and caption need at a width.
    [[nodiscard]] int rowsAt(int width) const;
    // Of all texts together, at a width with so many lines above.
    [[nodiscard]] int heightAt(int width, int rows) const;
    [[nodiscard]] int lineHeight() const;
    // What is left for the picture.
    [[nodiscard]] QRect pictureArea() const;

    void paint(QPainter& painter) const;
    // Below the picture; upon it where the pane is too narrow for a line of it, at the end that is
    // away from the cursor.
    void paintValue(QPainter& painter, const QString& value, bool cursorAbove) const;

private:
    [[nodiscard]] QFont titleFont() const;
    [[nodiscard]] int titleRoom(int width) const;
    // Lines kept free for the value; 0 where it is too long for one.
    [[nodiscard]] int valueRows(int width) const;

    const QWidget& m_pane;
    PaneText m_text;
    int m_rows = 3;
    bool m_reserved = false;
};

}  // namespace qs::widgets
