// How LayersView is laid out.
#include "widgets/layout/flow_layout.h"
#include "widgets/layout/roomy_rows.h"
#include "widgets/model/layers_view.h"
#include "widgets/model/sensitivity_view.h"
#include "widgets/models/plain_tip.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

namespace qs::widgets {

void LayersView::build()
{
    // Made in the order of Tab, which begins at the focus proxy.
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setObjectName(QStringLiteral("layersParts"));
    parts->addWidget(buildTree(parts));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 6, 4, 4);
    layout->addWidget(buildBar());
    m_sensitivity = new SensitivityView(m_store, parts);
    parts->addWidget(m_sensitivity);
    parts->setStretchFactor(0, 1);
    parts->setChildrenCollapsible(false);
    layout->addWidget(parts, 1);
    setFocusProxy(m_view);
}

QWidget* LayersView::buildTree(QWidget* parent)
{
    auto* part = new QWidget(parent);
    m_view = new QTreeView(part);
    m_view->setObjectName(QStringLiteral("layerTree"));
    m_view->setAccessibleName(tr("Layers of the model"));
    m_view->setModel(m_proxy);
    m_view->setItemDelegate(new RoomyRows(m_view));
    m_view->setAlternatingRowColors(true);
    m_view->setUniformRowHeights(true);
    m_view->header()->setStretchLastSection(true);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    showReportColumns();
    m_empty = new QLabel(part);
    m_empty->setObjectName(QStringLiteral("layersEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextFormat(Qt::PlainText);
    m_summary = new QLabel(part);
    m_summary->setObjectName(QStringLiteral("layersSummary"));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view, 1);
    column->addWidget(m_empty, 1);
    column->addWidget(m_summary);
    return part;
}

QWidget* LayersView::buildBar()
{
    auto* bar = new QWidget(this);
    const auto box = [&](const char* name, const QString& label, const QString& toolTip) {
        auto* made = new QComboBox(bar);
        made->setObjectName(QString::fromLatin1(name));
        made->setAccessibleName(label);
        made->setToolTip(plainTip(toolTip));
        made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        // As wide as its text where there is room for it: a long filter does not widen the window.
        made->setMinimumWidth(made->fontMetrics().averageCharWidth() * 10);
        connect(made, &QComboBox::activated, this, &LayersView::refresh);
        return made;
    };
    m_of = new QComboBox(bar);
    m_of->setObjectName(QStringLiteral("layersOf"));
    m_of->setAccessibleName(tr("Whose layers"));
    m_of->setToolTip(plainTip(tr("The model of the run in view, or that of the sweep that is "
                                 "planned")));
    m_of->addItem(tr("Run in view"), QVariant::fromValue(LayersOf::Run));
    m_of->addItem(tr("Draft"), QVariant::fromValue(LayersOf::Draft));
    m_of->setCurrentIndex(1);
    m_of->setEnabled(false);
    connect(m_of, &QComboBox::currentIndexChanged, this,
            [this] { showOf(m_of->currentData().value<LayersOf>()); });
    m_precision =
        box("layersPrecision", tr("Precision"),
            tr("Which precision of the sweep is shown: encoder/decoder where they differ"));
    m_layers = box("layersFilterChoice", tr("Layer filter"),
                   tr("Which layer filter of the sweep is shown"));
    buildFilter(bar);
    // In as many rows as it takes: nothing is cut, and it does not force a width on the window.
    auto* layout = new FlowLayout(bar, fontMetrics().averageCharWidth());
    auto* ofLabel = new QLabel(tr("Of"), bar);
    ofLabel->setBuddy(m_of);
    auto* precisionLabel = new QLabel(tr("Pr&ecision"), bar);
    precisionLabel->setBuddy(m_precision);
    auto* layersLabel = new QLabel(tr("La&yers"), bar);
    layersLabel->setBuddy(m_layers);
    for (QWidget* part : {static_cast<QWidget*>(ofLabel), static_cast<QWidget*>(m_of),
                          static_cast<QWidget*>(precisionLabel), static_cast<QWidget*>(m_precision),
                          static_cast<QWidget*>(layersLabel), static_cast<QWidget*>(m_layers)})
        layout->addWidget(part);
    m_useTicked = buildTickAction(bar, QStringLiteral("layersUseTicked"), tr("Add ticked layers"),
                                  tr("Add a layer filter of the ticked layers to the sweep"));
    connect(m_useTicked, &QAction::triggered, this, &LayersView::useTicked);
    m_compileTicked = buildTickAction(
        bar, QStringLiteral("layersCompileTicked"), tr("Compile these as regions"),
        tr("Add a compile mode to the sweep: Inductor compiles the ticked layers, each module of "
           "which all are ticked as one region, and the rest runs as eager"));
    connect(m_compileTicked, &QAction::triggered, this, &LayersView::compileTicked);
    layout->addWidget(m_filter);
    return bar;
}

// What is done with the ticks: a button of that name in the bar, and an entry in the menu of the
// tree.
QAction* LayersView::buildTickAction(QWidget* bar, const QString& name, const QString& text,
                                     const QString& toolTip)
{
    auto* action = new QAction(text, this);
    action->setObjectName(name + QStringLiteral("Action"));
    auto* button = new QPushButton(text, bar);
    button->setObjectName(name);
    button->setToolTip(plainTip(toolTip));
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::enabledChanged, button, &QWidget::setEnabled);
    bar->layout()->addWidget(button);
    m_view->addAction(action);
    return action;
}

void LayersView::buildFilter(QWidget* bar)
{
    m_filter = new QLineEdit(bar);
    m_filter->setObjectName(QStringLiteral("layersSearch"));
    m_filter->setPlaceholderText(tr("Find layers or reasons"));
    m_filter->setAccessibleName(tr("Find layers or reasons"));
    m_filter->setToolTip(tr("Show layers whose name or reason contains this text"));
    m_filter->setClearButtonEnabled(true);
    constexpr int kFrame = 24;  // with the button that clears it
    m_filter->setMinimumWidth(
        m_filter->fontMetrics().horizontalAdvance(m_filter->placeholderText()) + kFrame);
    m_filter->setMaximumWidth(240);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_proxy->setFilterFixedString(text);
        if (!text.isEmpty())
            m_view->expandAll();
    });
}

}  // namespace qs::widgets
