#include "app/gui/theme.h"

#include "widgets/layout/spacing_grid.h"

#include <QApplication>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleOption>

namespace qs::app {

namespace {

// The colours of the two themes; every widget takes its own from the palette.
struct ThemeColours {
    QColor window;
    QColor base;
    QColor alternate;
    QColor button;
    QColor text;
    QColor dimmed;
    QColor highlight;
    QColor highlightedText;
    QColor link;
};

ThemeColours coloursOf(Theme theme)
{
    if (theme == Theme::Dark) {
        return {.window = QColor(0x31, 0x34, 0x38),
                .base = QColor(0x1d, 0x1f, 0x21),
                .alternate = QColor(0x24, 0x26, 0x29),
                .button = QColor(0x3d, 0x41, 0x46),
                .text = QColor(0xe6, 0xe6, 0xe6),
                .dimmed = QColor(0xa2, 0xa5, 0xa9),
                .highlight = QColor(0x2f, 0x6f, 0xb5),
                .highlightedText = QColor(0xff, 0xff, 0xff),
                .link = QColor(0x6c, 0xb2, 0xf5)};
    }
    return {.window = QColor(0xf3, 0xf3, 0xf3),
            .base = QColor(0xff, 0xff, 0xff),
            .alternate = QColor(0xf7, 0xf7, 0xf8),
            .button = QColor(0xec, 0xec, 0xec),
            .text = QColor(0x1b, 0x1b, 0x1b),
            .dimmed = QColor(0x66, 0x69, 0x6d),
            .highlight = QColor(0x2a, 0x6c, 0xb8),
            .highlightedText = QColor(0xff, 0xff, 0xff),
            .link = QColor(0x1a, 0x5f, 0xb4)};
}

QPalette paletteOf(Theme theme)
{
    const ThemeColours colours = coloursOf(theme);
    QPalette palette(colours.button, colours.window);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(role, colours.text);
    palette.setColor(QPalette::Base, colours.base);
    palette.setColor(QPalette::AlternateBase, colours.alternate);
    palette.setColor(QPalette::ToolTipBase, colours.base);
    palette.setColor(QPalette::ToolTipText, colours.text);
    palette.setColor(QPalette::PlaceholderText, colours.dimmed);
    palette.setColor(QPalette::Highlight, colours.highlight);
    palette.setColor(QPalette::HighlightedText, colours.highlightedText);
    palette.setColor(QPalette::Link, colours.link);
    palette.setColor(QPalette::LinkVisited, colours.link);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, colours.dimmed);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, colours.dimmed);
    return palette;
}

// Fusion on our grid, without the icons of another family that it has on buttons of dialogs, and
// with boxes that are seen on a dark ground: there its own outline is darker still.
class OutlinedFusion final : public QProxyStyle
{
public:
    OutlinedFusion() : QProxyStyle(QStringLiteral("Fusion")) {}

    int pixelMetric(PixelMetric metric, const QStyleOption* option,
                    const QWidget* widget) const override
    {
        switch (metric) {
        case PM_LayoutLeftMargin:
        case PM_LayoutTopMargin:
        case PM_LayoutRightMargin:
        case PM_LayoutBottomMargin:
            return widgets::kUsualMargin;
        case PM_LayoutHorizontalSpacing:
        case PM_LayoutVerticalSpacing:
            return widgets::kUsualSpacing;
        default:
            return QProxyStyle::pixelMetric(metric, option, widget);
        }
    }

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* answer) const override
    {
        return hint == SH_DialogButtonBox_ButtonsHaveIcons
                   ? 0
                   : QProxyStyle::styleHint(hint, option, widget, answer);
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override
    {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        constexpr int kDark = 128;
        if (element != PE_IndicatorCheckBox ||
            option->palette.color(QPalette::Base).lightness() >= kDark)
            return;
        const bool enabled = option->state.testFlag(State_Enabled);
        QColor outline = option->palette.color(QPalette::PlaceholderText);
        outline.setAlphaF(enabled ? 0.9F : 0.4F);
        painter->save();
        painter->setPen(outline);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
    }
};

}  // namespace

void applyTheme(QApplication& application, Theme theme)
{
    // A desktop without a style of its own has Fusion.
    const QString style = QApplication::style()->name();
    if (theme == Theme::System && style.compare(QLatin1String("fusion"), Qt::CaseInsensitive) != 0)
        return;
    application.setStyle(new OutlinedFusion);  // owned by the application
    if (theme != Theme::System)
        application.setPalette(paletteOf(theme));
}

}  // namespace qs::app
