#include "widgets/model/layers_view.h"

#include "core/base/format.h"
#include "core/model/family_registry.h"
#include "core/quant/scheme.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/preset_axes.h"
#include "widgets/background/in_background.h"
#include "widgets/layout/roomy_rows.h"
#include "widgets/models/plain_tip.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <exception>
#include <utility>

namespace qs::widgets {

namespace {

QStringList valuesOf(const core::Preset& preset, const std::string& name)
{
    QStringList values;
    if (const core::Axis* axis = core::findAxis(preset, name)) {
        for (const std::string& value : axis->values)
            values << QString::fromStdString(value);
    } else {
        values << QString::fromStdString(core::memberText(preset.defaults, name));
    }
    return values;
}

// The first value of each size that the sweep names.
core::Sizes firstSizes(const core::Preset& preset)
{
    core::Sizes sizes;
    for (const core::SizeSpec& size : core::knownSizes()) {
        if (const std::int64_t first = valuesOf(preset, size.name).front().toLongLong(); first > 0)
            sizes.set(size.name, first);
    }
    return sizes;
}

// Those that the model has: "256 px".
QString sizesText(const core::ModelFamily& family, const core::Sizes& sizes)
{
    return QString::fromStdString(core::sizesText(family.workload().completed(sizes)));
}

bool quantizes(const QString& precision)
{
    for (const QString& part : precision.split(QLatin1Char('/'))) {
        const auto scheme = core::parseScheme(part.toStdString());
        if (scheme.ok() && core::quantizesWeights(scheme.value()))
            return true;
    }
    return false;
}

// What was chosen stays chosen while the sweep has it; otherwise the first that is of interest.
template <typename Interesting>
void offer(QComboBox& box, const QStringList& values, const Interesting& interesting)
{
    const QSignalBlocker blocker(box);
    const QString before = box.currentText();
    box.clear();
    box.addItems(values);
    int chosen = box.findText(before);
    for (int i = 0; chosen < 0 && i < values.size(); ++i) {
        if (interesting(values[i]))
            chosen = i;
    }
    box.setCurrentIndex(std::max(0, chosen));
    box.setEnabled(values.size() > 1);
}

struct Wish {
    std::vector<std::string> schemes;
    std::string layers;
    core::ShapePoint shape;
};

LayerTree treeOf(const Inspection& inspection, const Wish& wish)
{
    LayerTree failed;
    try {
        const auto recipe = core::makeRecipe(*inspection->family, wish.schemes, wish.layers);
        if (recipe.ok())
            return makeLayerTree(*inspection->family, recipe.value(), wish.shape);
        failed.problem = recipe.error().message;
    } catch (const std::exception& failure) {
        failed.problem = failure.what();
    }
    return failed;
}

}  // namespace

LayersView::LayersView(QWidget* parent)
    : QWidget(parent), m_model(new LayerTreeModel(this)), m_proxy(new QSortFilterProxyModel(this))
{
    setObjectName(QStringLiteral("layersView"));
    m_proxy->setSourceModel(m_model);
    m_proxy->setRecursiveFilteringEnabled(true);
    m_proxy->setAutoAcceptChildRows(true);
    m_proxy->setFilterKeyColumn(-1);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    build();
    showProblem(tr("No model yet"));
}

void LayersView::build()
{
    m_view = new QTreeView(this);
    m_view->setObjectName(QStringLiteral("layerTree"));
    m_view->setAccessibleName(tr("Layers of the model"));
    m_view->setModel(m_proxy);
    m_view->setItemDelegate(new RoomyRows(m_view));
    m_view->setAlternatingRowColors(true);
    m_view->setUniformRowHeights(true);
    m_view->header()->setStretchLastSection(true);
    m_empty = new QLabel(this);
    m_empty->setObjectName(QStringLiteral("layersEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextFormat(Qt::PlainText);
    m_summary = new QLabel(this);
    m_summary->setObjectName(QStringLiteral("layersSummary"));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 6, 4, 4);
    layout->addWidget(buildBar());
    layout->addWidget(m_view, 1);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_summary);
    setFocusProxy(m_view);
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
        connect(made, &QComboBox::activated, this, &LayersView::refresh);
        return made;
    };
    m_precision =
        box("layersPrecision", tr("Precision"),
            tr("Which precision of the sweep is shown: encoder/decoder where they differ"));
    m_layers = box("layersFilterChoice", tr("Layer filter"),
                   tr("Which layer filter of the sweep is shown"));
    buildFilter(bar);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* precisionLabel = new QLabel(tr("Pr&ecision"), bar);
    precisionLabel->setBuddy(m_precision);
    auto* layersLabel = new QLabel(tr("La&yers"), bar);
    layersLabel->setBuddy(m_layers);
    for (QWidget* part : {static_cast<QWidget*>(precisionLabel), static_cast<QWidget*>(m_precision),
                          static_cast<QWidget*>(layersLabel), static_cast<QWidget*>(m_layers)})
        layout->addWidget(part);
    layout->addStretch(1);
    layout->addWidget(m_filter);
    return bar;
}

void LayersView::buildFilter(QWidget* bar)
{
    m_filter = new QLineEdit(bar);
    m_filter->setObjectName(QStringLiteral("layersSearch"));
    m_filter->setPlaceholderText(tr("Find layers or reasons"));
    m_filter->setAccessibleName(tr("Find layers or reasons"));
    m_filter->setToolTip(tr("Show layers whose name or reason contains this text"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(240);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_proxy->setFilterFixedString(text);
        if (!text.isEmpty())
            m_view->expandAll();
    });
}

void LayersView::setModel(const Inspection& inspection)
{
    m_inspection = inspection;
    m_asked.clear();
    m_shown = false;
    refresh();
}

void LayersView::setPreset(const core::Preset& preset)
{
    m_preset = preset;
    offer(*m_precision, valuesOf(preset, "precision"), quantizes);
    offer(*m_layers, valuesOf(preset, "layers"), [](const QString&) { return true; });
    refresh();
}

void LayersView::refresh()
{
    if (m_inspection == nullptr || m_inspection->family == nullptr) {
        ++m_job;
        m_loading = false;
        showProblem(m_inspection == nullptr
                        ? tr("No model yet")
                        : tr("The model was not recognised; see its load report"));
        return;
    }
    Wish wish;
    for (const QString& part : m_precision->currentText().split(QLatin1Char('/')))
        wish.schemes.push_back(part.toStdString());
    wish.layers = m_layers->currentText().toStdString();
    wish.shape = {valuesOf(m_preset, "batch").front().toLongLong(), firstSizes(m_preset)};
    const QString asked = QStringList{m_precision->currentText(), m_layers->currentText(),
                                      QString::number(wish.shape.batch),
                                      sizesText(*m_inspection->family, wish.shape.sizes)}
                              .join(QLatin1Char('|'));
    if (asked == m_asked)
        return;
    m_asked = asked;
    m_loading = true;
    inBackground(
        this, [inspection = m_inspection, wish] { return treeOf(inspection, wish); },
        [this, job = ++m_job](LayerTree tree) {
            if (job == m_job)
                receive(std::move(tree));
        });
}

void LayersView::receive(LayerTree tree)
{
    m_loading = false;
    if (tree.stages.empty()) {
        showProblem(QString::fromStdString(tree.problem));
        return;
    }
    // What is open stays open while only the recipe changes.
    QStringList open;
    for (int i = 0; m_shown && i < m_proxy->rowCount(); ++i) {
        const QModelIndex stage = m_proxy->index(i, 0);
        for (int j = 0; j < m_proxy->rowCount(stage); ++j) {
            const QModelIndex block = m_proxy->index(j, 0, stage);
            if (m_view->isExpanded(block))
                open << block.data().toString();
        }
    }
    m_model->setTree(std::move(tree));
    for (int i = 0; i < m_proxy->rowCount(); ++i) {
        const QModelIndex stage = m_proxy->index(i, 0);
        m_view->expand(stage);
        for (int j = 0; j < m_proxy->rowCount(stage); ++j) {
            const QModelIndex block = m_proxy->index(j, 0, stage);
            m_view->setExpanded(block, open.contains(block.data().toString()));
        }
    }
    if (!m_shown) {
        constexpr int kGap = 12;  // pixels between numbers and the text after them
        for (int column = 0; column < LayerTreeModel::ColumnCount; ++column) {
            m_view->resizeColumnToContents(column);
            m_view->setColumnWidth(column, m_view->columnWidth(column) + kGap);
        }
    }
    m_shown = true;
    m_view->show();
    m_empty->hide();
    m_summary->setText(summary());
}

void LayersView::showProblem(const QString& problem)
{
    m_view->hide();
    m_empty->setText(problem);
    m_empty->show();
    m_summary->clear();
}

QString LayersView::summary() const
{
    int linear = 0;
    int matched = 0;
    double flops = 0.0;
    double before = 0.0;
    double after = 0.0;
    for (const LayerNode& stage : m_model->tree().stages) {
        linear += stage.linearLayers;
        matched += stage.matchedLayers;
        flops += stage.flops;
        before += static_cast<double>(stage.bytesBefore);
        after += static_cast<double>(stage.bytesAfter);
    }
    const QLocale locale;
    QString text =
        tr("%1 of %2 linear layers match").arg(locale.toString(matched), locale.toString(linear));
    const QString bytes = QString::fromStdString(core::formatBytes(after));
    text +=
        QStringLiteral(" · ") +
        (before == after
             ? tr("weights %1").arg(bytes)
             : tr("weights %1 → %2").arg(QString::fromStdString(core::formatBytes(before)), bytes));
    if (!m_model->tree().problem.empty())
        return text + QStringLiteral(" · ") + QString::fromStdString(m_model->tree().problem);
    return text + QStringLiteral(" · ") +
           tr("%1 per pass of batch %2 at %3")
               .arg(QString::fromStdString(core::formatFlops(flops)),
                    valuesOf(m_preset, "batch").front(),
                    sizesText(*m_inspection->family, firstSizes(m_preset)));
}

}  // namespace qs::widgets
