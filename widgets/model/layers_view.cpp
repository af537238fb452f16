#include "widgets/model/layers_view.h"

#include "core/base/format.h"
#include "core/quant/scheme.h"
#include "widgets/background/in_background.h"
#include "widgets/model/measured_layers.h"
#include "widgets/model/run_layers.h"
#include "widgets/model/sensitivity_view.h"

#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QTreeView>

#include <algorithm>
#include <exception>
#include <utility>

namespace qs::widgets {

namespace {

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
    if (inspection->family->stages().front().program) {
        failed.problem = LayersView::tr("The model is a compiled program: nothing is known of its "
                                        "layers.")
                             .toStdString();
        return failed;
    }
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

LayersView::LayersView(RunStore& store, std::filesystem::path resources, QWidget* parent)
    : QWidget(parent),
      m_store(store),
      m_run(new RunLayers(store, std::move(resources), this)),
      m_model(new LayerTreeModel(this)),
      m_proxy(new QSortFilterProxyModel(this))
{
    setObjectName(QStringLiteral("layersView"));
    m_proxy->setSourceModel(m_model);
    m_proxy->setRecursiveFilteringEnabled(true);
    m_proxy->setAutoAcceptChildRows(true);
    m_proxy->setFilterKeyColumn(-1);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    build();
    connect(m_model, &LayerTreeModel::ticked, this, &LayersView::showTicks);
    connect(m_sensitivity, &SensitivityView::filterWanted, this, &LayersView::want);
    connect(m_sensitivity, &SensitivityView::sweepWanted, this, &LayersView::wantSweep);
    connect(&store, &RunStore::runReplaced, this, [this] {
        m_reported.reset();
        showOf(m_store.isEmpty() ? LayersOf::Draft : LayersOf::Run);
    });
    connect(&store, &RunStore::analysisChanged, this, [this] {
        if (isOfRun() && m_store.data().plan.cells.size() != shown().cells) {
            m_run->follow(m_draft);
            offerChoices();
            refresh();
        }
        findReport();
    });
    connect(m_run, &RunLayers::modelRead, this, &LayersView::refresh);
    connect(&store, &RunStore::selectionChanged, this, &LayersView::followSelection);
    showProblem(tr("No model yet"));
}

void LayersView::setModel(const Inspection& inspection)
{
    m_draft.inspection = inspection;
    if (shown().model == m_draft.model) {
        m_asked.clear();
        m_shown = false;
    }
    refresh();
}

void LayersView::setPreset(const core::Preset& preset)
{
    m_preset = preset;
    const Inspection inspection = m_draft.inspection;
    m_draft = layerSource(preset);
    m_draft.inspection = inspection;
    offerChoices();
    // Whoever has just added a filter wants to see what it meets.
    if (const int wanted = m_layers->findText(m_wanted); !m_wanted.isEmpty() && wanted >= 0) {
        m_layers->setCurrentIndex(wanted);
        m_wanted.clear();
    }
    refresh();
}

void LayersView::offerChoices()
{
    offer(*m_precision, shown().precisions, quantizes);
    offer(*m_layers, shown().layers, [](const QString&) { return true; });
}

void LayersView::refresh()
{
    const LayerSource& source = shown();
    if (isOfRun() && isVisible())
        m_run->read();
    if (!source.recognised()) {
        ++m_job;
        m_loading = isOfRun() && source.inspection == nullptr && m_run->isReading();
        m_asked.clear();
        m_sensitivity->setSweepPossible(false);
        forbidTicks();
        showProblem(whyNoLayers());
        return;
    }
    Wish wish;
    for (const QString& part : m_precision->currentText().split(QLatin1Char('/')))
        wish.schemes.push_back(part.toStdString());
    wish.layers = m_layers->currentText().toStdString();
    wish.shape = source.shape;
    const QString asked =
        QStringList{QString::fromStdString(source.model), m_precision->currentText(),
                    m_layers->currentText(), QString::number(wish.shape.batch), sizesText(source)}
            .join(QLatin1Char('|'));
    if (asked == m_asked)
        return;
    m_asked = asked;
    m_loading = true;
    findReport();
    inBackground(
        this, [inspection = source.inspection, wish] { return treeOf(inspection, wish); },
        [this, job = ++m_job](LayerTree tree) {
            if (job == m_job)
                receive(std::move(tree));
        });
}

void LayersView::receive(LayerTree tree)
{
    m_loading = false;
    m_sensitivity->setSweepPossible(!tree.stages.empty() && isOfDraft());
    if (tree.stages.empty()) {
        forbidTicks();
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
    // Ticks are kept while the recipe stays and only a size of the sweep changes.
    const WantedLayers recipe = wantedLayers();
    m_model->setTree(std::move(tree), m_shown && m_recipe == recipe
                                          ? LayerTreeModel::Ticking::Kept
                                          : LayerTreeModel::Ticking::AsRecipe);
    m_recipe = recipe;
    showTicks();
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
    text += QStringLiteral(" · ") + tr("%1 per pass of batch %2 at %3")
                                        .arg(QString::fromStdString(core::formatFlops(flops))
                                                 .replace(QLatin1Char(' '), QChar::Nbsp),
                                             locale.toString(qlonglong(shown().shape.batch)),
                                             sizesText(shown()));
    if (isOfRun() && m_searched && !m_reported && quantizes(m_precision->currentText()))
        text +=
            QStringLiteral(" · ") + tr("no layer report was kept: run it again, keeping outputs");
    return text;
}

}  // namespace qs::widgets

#include "moc_layers_view.cpp"
