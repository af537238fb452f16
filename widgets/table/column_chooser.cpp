#include "widgets/table/column_chooser.h"

#include "widgets/models/plain_tip.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kColumnRole = Qt::UserRole;

struct ColumnChooserText {
    Q_DECLARE_TR_FUNCTIONS(ColumnChooser)
};

QString groupTitle(ColumnGroup group)
{
    switch (group) {
    case ColumnGroup::Configuration:
        return ColumnChooserText::tr("Configuration");
    case ColumnGroup::OtherRuns:
        return ColumnChooserText::tr("Compared runs");
    case ColumnGroup::Speed:
        return ColumnChooserText::tr("Speed");
    case ColumnGroup::Quality:
        return ColumnChooserText::tr("Quality");
    case ColumnGroup::Memory:
        return ColumnChooserText::tr("Memory");
    case ColumnGroup::Result:
        return ColumnChooserText::tr("Result");
    case ColumnGroup::Evidence:
        return ColumnChooserText::tr("What ran");
    case ColumnGroup::Samples:
        return ColumnChooserText::tr("Samples");
    }
    return {};
}

}  // namespace

ColumnChooser::ColumnChooser(const std::vector<ColumnChoice>& choices, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_search(new QLineEdit), m_tree(new QTreeWidget)
{
    setObjectName(QStringLiteral("columnChooser"));
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    m_search->setObjectName(QStringLiteral("columnSearch"));
    m_search->setAccessibleName(tr("Search columns"));
    m_search->setPlaceholderText(tr("Search, such as memory"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_tree->setObjectName(QStringLiteral("columnTree"));
    m_tree->setAccessibleName(tr("Columns"));
    m_tree->header()->hide();
    m_tree->setIndentation(fontMetrics().averageCharWidth() * 2);
    m_tree->setRootIsDecorated(false);
    m_tree->setFrameShape(QFrame::NoFrame);
    auto* standard = new QPushButton(tr("Default columns"));
    standard->setObjectName(QStringLiteral("defaultColumns"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->addWidget(m_search);
    column->addWidget(m_tree, 1);
    column->addWidget(standard);
    fill(choices);
    const int letter = fontMetrics().averageCharWidth();
    resize(letter * 48, fontMetrics().height() * 26);
    m_search->setFocus();
    connect(m_search, &QLineEdit::textChanged, this, &ColumnChooser::search);
    connect(standard, &QPushButton::clicked, this, &ColumnChooser::standardWanted);
    connect(m_tree, &QTreeWidget::itemPressed, this, [this] { m_ticked = nullptr; });
    connect(m_tree, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) {
        m_ticked = item;
        if (!m_quiet)
            Q_EMIT toggled(item->data(0, kColumnRole).toInt(), item->checkState(0) == Qt::Checked);
    });
    // The whole row is as good as its box, which has ticked itself when it was hit.
    connect(m_tree, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
        if (std::exchange(m_ticked, nullptr) != item)
            tick(item);
    });
}

void ColumnChooser::fill(const std::vector<ColumnChoice>& choices)
{
    const QScopedValueRollback<bool> quiet(m_quiet, true);
    std::map<ColumnGroup, QTreeWidgetItem*> groups;
    for (const ColumnChoice& choice : choices) {
        QTreeWidgetItem*& group = groups[choice.group];
        if (group == nullptr) {
            group = new QTreeWidgetItem(m_tree, {groupTitle(choice.group)});
            group->setFlags(Qt::ItemIsEnabled);
            QFont bold = font();
            bold.setBold(true);
            group->setFont(0, bold);
        }
        auto* item = new QTreeWidgetItem(
            group, {QString(choice.title).replace(QLatin1Char('\n'), QStringLiteral(": "))});
        item->setData(0, kColumnRole, choice.column);
        item->setToolTip(0, plainTip(choice.explanation));
        item->setFlags(choice.fixed
                           ? Qt::NoItemFlags
                           : Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(0, choice.shown ? Qt::Checked : Qt::Unchecked);
    }
    m_tree->expandAll();
}

void ColumnChooser::tick(QTreeWidgetItem* item)
{
    if (!item->flags().testFlag(Qt::ItemIsUserCheckable))
        return;
    item->setCheckState(0, item->checkState(0) == Qt::Checked ? Qt::Unchecked : Qt::Checked);
    m_ticked = nullptr;
}

void ColumnChooser::setShown(int column, bool shown)
{
    const QScopedValueRollback<bool> quiet(m_quiet, true);
    for (int group = 0; group < m_tree->topLevelItemCount(); ++group) {
        const QTreeWidgetItem* parent = m_tree->topLevelItem(group);
        for (int row = 0; row < parent->childCount(); ++row) {
            if (parent->child(row)->data(0, kColumnRole).toInt() == column)
                parent->child(row)->setCheckState(0, shown ? Qt::Checked : Qt::Unchecked);
        }
    }
}

// Every word has to occur, in the title or in the name of the group.
void ColumnChooser::search(const QString& words)
{
    const QStringList wanted = words.toCaseFolded().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (int group = 0; group < m_tree->topLevelItemCount(); ++group) {
        QTreeWidgetItem* parent = m_tree->topLevelItem(group);
        bool any = false;
        for (int row = 0; row < parent->childCount(); ++row) {
            const QString text =
                (parent->text(0) + QLatin1Char(' ') + parent->child(row)->text(0)).toCaseFolded();
            const bool found = std::all_of(wanted.begin(), wanted.end(), [&](const QString& word) {
                return text.contains(word);
            });
            parent->child(row)->setHidden(!found);
            any = any || found;
        }
        parent->setHidden(!any);
    }
}

bool ColumnChooser::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down) {
        m_tree->setFocus(Qt::OtherFocusReason);
        for (QTreeWidgetItem* item = m_tree->topLevelItem(0); item != nullptr;
             item = m_tree->itemBelow(item)) {
            if (!item->isHidden() && item->flags().testFlag(Qt::ItemIsUserCheckable)) {
                m_tree->setCurrentItem(item);
                break;
            }
        }
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace qs::widgets

#include "moc_column_chooser.cpp"
