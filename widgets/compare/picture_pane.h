#pragma once

#include "widgets/compare/pane_image.h"
#include "widgets/compare/shared_view.h"

#include <QImage>
#include <QStringList>
#include <QWidget>

class QToolButton;

namespace qs::widgets {

// One picture with a title and a caption above, and the value under the cursor below it, or upon it
// where the pane is too narrow for a line of it. Wheel
// zooms about the cursor, dragging moves or, when the view asks for one, draws a region; the view
// is shared with the other panes. Magnified pixels stay square, a shrunk picture is smoothed.
class PicturePane final : public QWidget
{
    Q_OBJECT

public:
    // Lines of title and caption that a pane shows at most; the tooltip has the rest.
    static constexpr int kMostTextRows = 8;

    // `view` must outlive the pane.
    explicit PicturePane(SharedView& view, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    // Paragraphs; each is broken between its parts where the pane is narrow. The tooltip has all of
    // them, and `details` besides.
    void setCaption(const QStringList& lines, const QString& details = {});
    void setContent(PaneImage content);
    // Shown in place of a picture.
    void setMessage(const QString& message);
    // A button that asks to remove the pane, and the Delete key.
    void setRemovable(const QString& tip);
    // A second picture left of a movable line, named for the labels at that line.
    void setSplit(PaneImage left, const QString& leftName, const QString& rightName);
    void clearSplit();

    [[nodiscard]] QString title() const { return m_title; }
    [[nodiscard]] QStringList caption() const { return m_caption; }
    [[nodiscard]] QString message() const { return m_message; }
    [[nodiscard]] const QImage& image() const { return m_content.image; }
    // Of the first pixel of image(), in pixels of the picture.
    [[nodiscard]] QPoint imageOffset() const { return m_content.offset; }
    [[nodiscard]] bool isSplit() const { return !m_left.isNull(); }
    // Where the line stands, as a part of the width of the picture area.
    [[nodiscard]] double splitPosition() const { return m_splitPosition; }
    void setSplitPosition(double position);

    // Text of the value at a pixel of the picture, as the line below the picture shows it.
    [[nodiscard]] QString valueText(QPoint pixel) const;
    // Where the picture is painted, and places there and back.
    [[nodiscard]] QRect viewport() const;
    [[nodiscard]] QPointF toPicture(QPointF widgetPoint) const;
    [[nodiscard]] QPointF toWidget(QPointF picturePoint) const;
    // Lines that title and caption need at a width, at most kMostTextRows.
    [[nodiscard]] int textRowsAt(int width) const;
    // How many are kept free above the picture: equal in all panes, so that pictures are aligned.
    void setTextRows(int rows);
    // Height of title, caption and value together at a width with so many rows.
    [[nodiscard]] int textHeight(int width, int rows) const;
    [[nodiscard]] int textHeight() const { return textHeight(width(), m_textRows); }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void removeWanted();
    // A region has been drawn to its end.
    void regionDrawn();

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class Drag { None, Picture, Split, Region };

    void paintTexts(QPainter& painter) const;
    void paintPictures(QPainter& painter);
    void paintImage(QPainter& painter, const PaneImage& content) const;
    void paintSplitLine(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintMessage(QPainter& painter) const;
    void paintValue(QPainter& painter) const;
    void paintValueUpon(QPainter& painter, const QStringList& lines, QPoint pixel) const;
    void drawRegionTo(QPointF point);
    [[nodiscard]] QFont titleFont() const;
    [[nodiscard]] int titleRoom(int width) const;
    [[nodiscard]] int lineHeight() const;
    // Lines kept free for the value; 0 where it is too long for one and lies upon the picture.
    [[nodiscard]] int valueRows(int width) const;
    [[nodiscard]] int splitX() const;
    [[nodiscard]] bool nearSplit(QPointF point) const;
    void updateDescription();

    SharedView& m_view;
    QString m_title;
    QStringList m_caption;
    QString m_details;
    QString m_message;
    PaneImage m_content;
    PaneImage m_left;
    QString m_leftName;
    QString m_rightName;
    double m_splitPosition = 0.5;
    Drag m_drag = Drag::None;
    QPointF m_dragFrom;
    int m_textRows = 3;
    QToolButton* m_remove = nullptr;
};

}  // namespace qs::widgets
