#include "app/gui/action_palette.h"

#include <QAction>
#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace qs::app {

namespace {

enum PaletteColumn { Name, Keys, PaletteColumns };

constexpr int kActionRole = Qt::UserRole;

QString withoutMnemonic(QString text)
{
    return text.remove(QLatin1Char('&'));
}

}  // namespace

ActionPalette::ActionPalette(const QMenuBar& menus, QWidget* parent)
    : QDialog(parent), m_search(new QLineEdit(this)), m_list(new QTreeWidget(this))
{
    setObjectName(QStringLiteral("actionPalette"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Commands"));
    m_search->setObjectName(QStringLiteral("paletteSearch"));
    m_search->setAccessibleName(tr("Find a command"));
    m_search->setPlaceholderText(tr("Type part of a name, choose with the arrow keys"));
    m_search->setToolTip(tr("Words in any order; Enter runs the selected command, Esc closes"));
    m_search->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("Commands"));
    m_list->setColumnCount(PaletteColumns);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(Keys, QHeaderView::ResizeToContents);
    for (const QAction* action : menus.actions()) {
        if (action->menu() != nullptr)
            addMenu(*action->menu(), withoutMnemonic(action->text()));
    }
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_search);
    layout->addWidget(m_list, 1);
    connect(m_search, &QLineEdit::textChanged, this, &ActionPalette::applySearch);
    connect(m_search, &QLineEdit::returnPressed, this, &ActionPalette::triggerCurrent);
    connect(m_list, &QTreeWidget::itemActivated, this, &ActionPalette::triggerCurrent);
    const int letter = fontMetrics().averageCharWidth();
    resize(letter * 80, letter * 60);
    selectFirstShown();
}

void ActionPalette::addMenu(const QMenu& menu, const QString& path)
{
    for (QAction* action : menu.actions()) {
        const QString text =
            tr("%1 › %2", "menu › action").arg(path, withoutMnemonic(action->text()));
        if (action->menu() != nullptr)
            addMenu(*action->menu(), text);
        else if (!action->isSeparator())
            addAction(*action, text);
    }
}

void ActionPalette::addAction(QAction& action, const QString& text)
{
    // Keys of one part of the window alone stand behind a tab.
    const QString keys = text.contains(QLatin1Char('\t'))
                             ? text.section(QLatin1Char('\t'), 1)
                             : action.shortcut().toString(QKeySequence::NativeText);
    auto* item = new QTreeWidgetItem(m_list, {text.section(QLatin1Char('\t'), 0, 0), keys});
    item->setData(Name, kActionRole, QVariant::fromValue(QPointer<QAction>(&action)));
    if (!text.contains(QLatin1Char('\t')))
        item->setToolTip(Name, action.toolTip());
    // What cannot be done now is named all the same: people look for it.
    if (!action.isEnabled())
        item->setFlags(Qt::NoItemFlags);
}

void ActionPalette::applySearch()
{
    const QStringList words = m_search->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_list->topLevelItem(row);
        item->setHidden(!std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return item->text(Name).contains(word, Qt::CaseInsensitive);
        }));
    }
    selectFirstShown();
}

void ActionPalette::selectFirstShown()
{
    m_list->setCurrentItem(nullptr);
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_list->topLevelItem(row);
        if (item->isHidden() || !item->flags().testFlag(Qt::ItemIsEnabled))
            continue;
        m_list->setCurrentItem(item);
        return;
    }
}

void ActionPalette::triggerCurrent()
{
    const QTreeWidgetItem* item = m_list->currentItem();
    if (item == nullptr || item->isHidden())
        return;
    const auto action = item->data(Name, kActionRole).value<QPointer<QAction>>();
    // Afterwards: what the action does with the focus must not be undone by this window's end.
    if (!action.isNull())
        QMetaObject::invokeMethod(action.data(), &QAction::trigger, Qt::QueuedConnection);
    close();
}

bool ActionPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp ||
            key == Qt::Key_PageDown) {
            QCoreApplication::sendEvent(m_list, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace qs::app

#include "moc_action_palette.cpp"
