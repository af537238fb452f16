// The parts of the list of runs, made once.
#include "app/gui/runs/run_row_delegate.h"
#include "app/gui/runs/runs_page.h"
#include "widgets/layout/elided_paragraph.h"
#include "widgets/layout/flow_layout.h"
#include "widgets/models/plain_tip.h"
#include "widgets/table/table_style.h"

#include <QAction>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QTreeView>
#include <QVBoxLayout>

namespace qs::app {

namespace {

// A button that does, says and allows what the action does.
QPushButton* makeActionButton(QAction& action, const char* name)
{
    auto* button = new QPushButton;
    button->setObjectName(QString::fromLatin1(name));
    const auto follow = [button, &action] {
        button->setText(action.text());
        button->setToolTip(widgets::plainTip(action.toolTip()));
        button->setEnabled(action.isEnabled());
    };
    QObject::connect(&action, &QAction::changed, button, follow);
    QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    follow();
    return button;
}

}  // namespace

void RunsPage::build()
{
    constexpr int kMostHintLines = 3;
    buildList();
    m_hint = new widgets::ElidedParagraph(kMostHintLines);
    m_hint->setObjectName(QStringLiteral("runsHint"));
    auto* column = new QVBoxLayout(this);
    auto* search = new QHBoxLayout;
    buildSearch(*search);
    column->addLayout(search);
    column->addWidget(m_list, 1);
    column->addWidget(m_hint);
    buildButtons(*column);
    setFocusProxy(m_list);
}

void RunsPage::buildList()
{
    m_list = new QTreeView(this);
    m_list->setObjectName(QStringLiteral("runsList"));
    m_list->setAccessibleName(tr("Runs"));
    m_list->setModel(&m_filter);
    auto* style = new widgets::TableStyle(m_list);
    m_list->setStyle(style);
    m_list->header()->setStyle(style);
    auto* delegate = new RunRowDelegate(m_list);
    m_list->setItemDelegate(delegate);
    connect(delegate, &RunRowDelegate::resumeClicked, this, [this](const QModelIndex& index) {
        m_list->setCurrentIndex(index);
        m_actions.resume->trigger();
    });
    // Names of runs often differ at their end.
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAlternatingRowColors(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    // By its own keys and menu only: Enter and a double click open.
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_columns = std::make_unique<RunColumns>(*m_list);
    m_list->setSortingEnabled(true);
    m_list->sortByColumn(RunCatalogue::Date, Qt::DescendingOrder);
    connect(m_list, &QTreeView::activated, this, [this] { m_actions.open->trigger(); });
    m_actions = makeRunListActions(*m_list);
}

void RunsPage::buildSearch(QBoxLayout& line)
{
    m_search = new QLineEdit;
    m_search->setObjectName(QStringLiteral("runSearch"));
    m_search->setAccessibleName(tr("Search in the runs"));
    m_search->setPlaceholderText(tr("Search: name, tag, model, device, -word (Ctrl+F)"));
    m_search->setToolTip(tr("Show runs with every word in name, tags, note, model, device, sweep "
                            "or folder; -word excludes"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, &m_filter, &RunFilter::setWords);
    connect(m_search, &QLineEdit::textChanged, this, &RunsPage::update);
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, this, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    m_hidden = new QLabel;
    m_hidden->setObjectName(QStringLiteral("hiddenRuns"));
    line.addWidget(m_search, 1);
    line.addWidget(m_hidden);
}

void RunsPage::buildButtons(QBoxLayout& column)
{
    // In as many rows as it takes: no button may force a width on the window.
    auto* row = new QWidget(this);
    auto* buttons = new widgets::FlowLayout(row, fontMetrics().averageCharWidth());
    buttons->addWidget(makeActionButton(*m_actions.open, "openSelectedRun"));
    buttons->addWidget(makeActionButton(*m_actions.resume, "resumeRun"));
    buttons->addWidget(makeActionButton(*m_actions.repeat, "repeatRun"));
    buttons->addWidget(makeActionButton(*m_actions.compare, "compareSelectedRuns"));
    buttons->addWidget(makeActionButton(*m_actions.rename, "renameRun"));
    buttons->addWidget(makeActionButton(*m_actions.remove, "deleteSelectedRuns"));
    QMenu* menu = makeRunListMenu(m_actions, *m_list);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_list, &QWidget::customContextMenuRequested, this, [this, menu](const QPoint& at) {
        if (m_list->currentIndex().isValid())
            menu->popup(m_list->viewport()->mapToGlobal(at));
    });
    auto* more = new QPushButton(tr("More"));
    more->setObjectName(QStringLiteral("moreRunActions"));
    more->setToolTip(tr("Everything that can be done with the selected run"));
    more->setMenu(menu);
    buttons->addWidget(more);
    column.addWidget(row);
}

}  // namespace qs::app
