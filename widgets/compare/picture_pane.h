#pragma once

#include "widgets/compare/pane_image.h"
#include "widgets/compare/shared_view.h"

#include <QImage>
#include <QStringList>
#include <QWidget>

namespace qs::widgets {

// One picture with a title, two lines of caption, and the value under the cursor below it. Wheel
// zooms about the cursor, dragging moves; the view is shared with the other panes. Magnified pixels
// stay square, a shrunk picture is smoothed.
class PicturePane final : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kCaptionLines = 2;

    // `view` must outlive the pane.
    explicit PicturePane(SharedView& view, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    // At most kCaptionLines lines; the full text is the tooltip.
    void setCaption(const QStringList& lines);
    void setContent(PaneImage content);
    // Shown in place of a picture.
    void setMessage(const QString& message);
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
    // Height of title, caption and value line together.
    [[nodiscard]] int textHeight() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Drag { None, Picture, Split };

    void paintTexts(QPainter& painter) const;
    void paintPictures(QPainter& painter);
    void paintImage(QPainter& painter, const PaneImage& content, QImage& shrunk) const;
    void paintSplitLine(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintMessage(QPainter& painter) const;
    [[nodiscard]] int lineHeight() const;
    [[nodiscard]] int splitX() const;
    [[nodiscard]] bool nearSplit(QPointF point) const;
    void updateDescription();

    SharedView& m_view;
    QString m_title;
    QStringList m_caption;
    QString m_message;
    PaneImage m_content;
    PaneImage m_left;
    QString m_leftName;
    QString m_rightName;
    double m_splitPosition = 0.5;
    Drag m_drag = Drag::None;
    QPointF m_dragFrom;
    // Shrunk copies for the current scale; null until painted below 1:1.
    QImage m_shrunkContent;
    QImage m_shrunkLeft;
};

}  // namespace qs::widgets
