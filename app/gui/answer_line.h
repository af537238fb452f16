#pragma once

#include <QString>
#include <QWidget>

namespace qs::widgets {
class ElidedParagraph;
}

namespace qs::app {

// The headline of an answer and what is known of it, side by side in one line. Where there is too
// little room the name in the headline gives way to the figure behind it.
class AnswerLine final : public QWidget
{
public:
    explicit AnswerLine(QWidget* parent = nullptr);

    // `figure`: what the detail begins with and is never cut; may be empty.
    void setTexts(const QString& headline, const QString& detail, const QString& figure);
    // The tool tip of both: what there may be no room for.
    void setWhole(const QString& text);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void place();

    widgets::ElidedParagraph* m_headline;
    widgets::ElidedParagraph* m_detail;
    QString m_figure;
};

}  // namespace qs::app
