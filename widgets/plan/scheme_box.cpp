#include "widgets/plan/scheme_box.h"

#include "widgets/models/plain_tip.h"
#include "widgets/plan/scheme_words.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QToolButton>

namespace qs::widgets {

namespace {

constexpr int kRoomAround = 12;  // pixels

struct SchemeBoxWords {
    Q_DECLARE_TR_FUNCTIONS(SchemeBox)
};

}  // namespace

QCheckBox* newSchemeBox(const QString& value, QWidget* parent)
{
    auto* box = new QCheckBox(value, parent);
    box->setObjectName(QStringLiteral("choice:") + value);
    box->setAccessibleName(value);
    return box;
}

QToolButton* newOptionsButton(const QString& value, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(QStringLiteral("options:") + value);
    button->setText(QStringLiteral("…"));
    button->setAutoRaise(true);
    // Two of them stand in a row of a narrow plan.
    button->setFixedWidth(button->fontMetrics().horizontalAdvance(button->text()) + kRoomAround);
    button->setFocusPolicy(Qt::StrongFocus);
    const QString about = SchemeBoxWords::tr("Options and variants of %1").arg(value);
    button->setToolTip(plainTip(about));
    button->setAccessibleName(about);
    return button;
}

void showImpossible(QCheckBox& box, bool impossible)
{
    // Check boxes take no colour from their foreground role.
    QPalette colours = box.parentWidget()->palette();
    if (impossible)
        colours.setColor(QPalette::WindowText, colours.color(QPalette::PlaceholderText));
    box.setPalette(impossible ? colours : QPalette());
    QFont font = box.font();
    font.setItalic(impossible);
    box.setFont(font);
}

void showScheme(QCheckBox& box, const core::Scheme& scheme, const Reasons& reasons)
{
    const auto found = reasons.find(scheme.text());
    const bool impossible = found != reasons.end();
    const QString tip =
        schemeTip(scheme, impossible ? QString::fromStdString(found->second) : QString());
    box.setToolTip(wrappedTip(tip));
    box.setAccessibleDescription(tip);
    showImpossible(box, impossible);
}

QRect placeOnScreen(const QWidget& widget)
{
    return {widget.mapToGlobal(QPoint(0, 0)), widget.size()};
}

}  // namespace qs::widgets
