#pragma once

#include "widgets/compare/pane_histogram.h"
#include "widgets/compare/pane_image.h"
#include "widgets/compare/pane_split.h"
#include "widgets/compare/pane_text.h"
#include "widgets/compare/shared_view.h"

#include <QWidget>

class QPushButton;
class QToolButton;

namespace qs::widgets {

class PaneInteraction;

// One picture with a title and a caption above, and the value under the cursor below it. The view
// is shared with the other panes. Magnified pixels stay square, a shrunk picture is smoothed.
class PicturePane final : public QWidget
{
    Q_OBJECT

public:
    // `view` must outlive the pane.
    explicit PicturePane(SharedView& view, QWidget* parent = nullptr);

    void setText(PaneText text);
    void setContent(PaneImage content);
    // Shown in place of a picture. What is offered instead is a button below it; empty: nothing.
    void setMessage(const QString& message, const QString& offer = {});
    // A button that asks to remove the pane, and the Delete key.
    void setRemovable(const QString& tip);
    // A second picture left of a movable line, named for the labels at that line.
    void setSplit(PaneImage left, const QString& leftName, const QString& rightName);
    void clearSplit();
    void setSplitPosition(double position);
    [[nodiscard]] const PaneSplit& split() const { return m_split; }
    // Painted upon the image.
    [[nodiscard]] PaneLevels& levels() { return m_levels; }

    [[nodiscard]] QString title() const { return m_texts.text().title; }
    [[nodiscard]] QStringList caption() const { return m_texts.text().caption; }
    [[nodiscard]] QString message() const { return m_message; }
    [[nodiscard]] const QImage& image() const { return m_content.image; }
    // Of the first pixel of image(), in pixels of the picture.
    [[nodiscard]] QPoint imageOffset() const { return m_content.offset; }
    // Text of the value at a pixel of the picture, as the line below the picture shows it.
    [[nodiscard]] QString valueText(QPoint pixel) const;

    // Where the picture is painted.
    [[nodiscard]] QRect viewport() const { return m_texts.pictureArea(); }
    [[nodiscard]] PaneFrame frame() const { return {viewport(), m_view}; }
    [[nodiscard]] const PaneTextLayout& texts() const { return m_texts; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void removeWanted();
    // A region has been drawn to its end.
    void regionDrawn();
    // The button below the message was pressed.
    void offerTaken();
    // To be seen large, or as before again.
    void aloneWanted();
    // A menu for the image, at this place of the screen.
    void menuWanted(const QPoint& position);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void paintPictures(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintMessage(QPainter& painter, bool dark) const;
    void describe();
    void placeOffer();

    SharedView& m_view;
    PaneTextLayout m_texts{*this};
    PaneSplit m_split;
    PaneImage m_content;
    PaneLevels m_levels{m_content};
    QString m_message;
    PaneInteraction* m_interaction;
    QToolButton* m_remove = nullptr;
    QPushButton* m_offer = nullptr;  // made when there is something to offer
};

}  // namespace qs::widgets
