#include "app/gui/runs/run_row_delegate.h"

#include "app/gui/runs/run_catalogue.h"
#include "widgets/models/plain_tip.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace qs::app {

namespace {

constexpr int kButtonPadding = 8;  // left and right of its word
constexpr int kButtonGap = 1;      // to the neighbouring rows
constexpr int kEditorLetters = 36;

QString resumeWord()
{
    return RunRowDelegate::tr("Resume");
}

int buttonWidth(const QFontMetrics& metrics)
{
    return metrics.horizontalAdvance(resumeWord()) + 2 * kButtonPadding;
}

void drawButton(QPainter& painter, const QStyleOptionViewItem& item, const QRect& place)
{
    QStyleOptionButton button;
    button.initFrom(item.widget);
    button.rect = place;
    button.palette = item.palette;
    button.fontMetrics = item.fontMetrics;
    button.text = resumeWord();
    button.state = QStyle::State_Enabled | QStyle::State_Raised;
    if (item.state.testFlag(QStyle::State_MouseOver))
        button.state |= QStyle::State_MouseOver;
    const QStyle* style = item.widget == nullptr ? QApplication::style() : item.widget->style();
    style->drawControl(QStyle::CE_PushButton, &button, &painter, item.widget);
}

}  // namespace

QRect RunRowDelegate::resumeButton(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (index.column() != RunCatalogue::Progress ||
        !index.data(RunCatalogue::ResumableRole).toBool())
        return {};
    QRect place = option.rect.adjusted(0, kButtonGap, -kButtonGap, -kButtonGap);
    place.setLeft(std::max(place.left(), place.right() - buttonWidth(option.fontMetrics) + 1));
    return place;
}

QString RunRowDelegate::nameText(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const QString name = index.data().toString();
    const auto* list = qobject_cast<const QTreeView*>(option.widget);
    const QString date = index.data(RunCatalogue::TellingDateRole).toString();
    if (list == nullptr || !list->isColumnHidden(RunCatalogue::Date) || date.isEmpty())
        return name;
    const QString end = QStringLiteral(" · ") + date;
    QStyleOptionViewItem item = option;
    item.text = name;
    item.features |= QStyleOptionViewItem::HasDisplay;
    const QStyle* style = list->style();
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &item, list) + 1;
    const int room = style->subElementRect(QStyle::SE_ItemViewItemText, &item, list).width() -
                     2 * margin - option.fontMetrics.horizontalAdvance(end);
    return option.fontMetrics.elidedText(name, Qt::ElideMiddle, room) + end;
}

void RunRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const
{
    if (index.column() == RunCatalogue::Name) {
        QStyleOptionViewItem item = option;
        initStyleOption(&item, index);
        item.text = nameText(item, index);
        const QStyle* style = item.widget == nullptr ? QApplication::style() : item.widget->style();
        style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
        return;
    }
    const QRect button = resumeButton(option, index);
    if (button.isEmpty())
        return SeverityDelegate::paint(painter, option, index);
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString text = std::exchange(item.text, QString());
    const QStyle* style = item.widget == nullptr ? QApplication::style() : item.widget->style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    // The words end where the button begins.
    item.text = text;
    item.backgroundBrush = Qt::NoBrush;
    item.state &= ~(QStyle::State_MouseOver | QStyle::State_HasFocus);
    item.rect.setRight(button.left() - 1);
    painter->save();
    painter->setClipRect(item.rect);
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    painter->restore();
    drawButton(*painter, option, button);
}

QSize RunRowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = SeverityDelegate::sizeHint(option, index);
    if (index.column() == RunCatalogue::Progress &&
        index.data(RunCatalogue::ResumableRole).toBool())
        size.rwidth() += buttonWidth(option.fontMetrics) + kButtonPadding;
    // As airy as the table of cells.
    return {size.width(), std::max(size.height(), option.fontMetrics.height() * 3 / 2)};
}

QWidget* RunRowDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                      const QModelIndex& index) const
{
    const bool tags = index.column() == RunCatalogue::Tags;
    auto* editor = new QLineEdit(parent);
    editor->setObjectName(tags ? QStringLiteral("runTagsEditor") : QStringLiteral("runNameEditor"));
    editor->setAccessibleName(tags ? tr("Tags of the run") : tr("Name of the run"));
    editor->setPlaceholderText(tags ? tr("Tags, separated by commas")
                                    : tr("The name of its preset"));
    editor->setMaxLength(tags ? static_cast<int>(core::kLongestRunTag * core::kMostRunTags)
                              : static_cast<int>(core::kLongestRunName));
    return editor;
}

void RunRowDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                          const QModelIndex&) const
{
    // A narrow column shows few letters of what is typed.
    const int wanted = option.fontMetrics.averageCharWidth() * kEditorLetters;
    QRect place = option.rect;
    place.setWidth(std::max(place.width(), wanted));
    if (const QWidget* around = editor->parentWidget())
        place.setRight(std::min(place.right(), std::max(around->width() - 1, option.rect.right())));
    editor->setGeometry(place);
}

bool RunRowDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
                                 const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const auto* mouse = event->type() == QEvent::MouseButtonRelease
                            ? static_cast<const QMouseEvent*>(event)
                            : nullptr;
    if (mouse == nullptr || mouse->button() != Qt::LeftButton ||
        !resumeButton(option, index).contains(mouse->position().toPoint()))
        return SeverityDelegate::editorEvent(event, model, option, index);
    Q_EMIT resumeClicked(index);
    return true;
}

bool RunRowDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view,
                               const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() != QEvent::ToolTip || !resumeButton(option, index).contains(event->pos()))
        return SeverityDelegate::helpEvent(event, view, option, index);
    QToolTip::showText(event->globalPos(),
                       widgets::plainTip(tr("Measure the missing cells of this "
                                            "run")),
                       view);
    return true;
}

}  // namespace qs::app

#include "moc_run_row_delegate.cpp"
