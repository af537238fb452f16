#pragma once

#include <QProxyStyle>

namespace qs::widgets {

// The style of the application with more room left and right of the words of a table: a number that
// ends at the edge of its column must not run into the word that begins the next. Headings stand
// exactly above what they name.
class TableStyle final : public QProxyStyle
{
    Q_OBJECT

public:
    explicit TableStyle(QObject* parent);

    // Less room where the table itself has little.
    void setTight(bool tight) { m_tight = tight; }

    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    [[nodiscard]] QRect subElementRect(SubElement element, const QStyleOption* option,
                                       const QWidget* widget) const override;
    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option,
                                         const QSize& size, const QWidget* widget) const override;

private:
    [[nodiscard]] int cellPadding() const;
    [[nodiscard]] int headingPadding() const;

    bool m_tight = false;
};

}  // namespace qs::widgets
