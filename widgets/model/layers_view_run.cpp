// What LayersView takes from the run in view, and what it gives to the draft.
#include "core/lower/chosen_modules.h"
#include "core/report/words/note_text.h"
#include "core/sweep/cell_member.h"
#include "widgets/background/in_background.h"
#include "widgets/model/layers_view.h"
#include "widgets/model/measured_layers.h"
#include "widgets/model/run_layers.h"
#include "widgets/model/sensitivity_view.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QTreeView>

#include <utility>

namespace qs::widgets {

void LayersView::want(const QString& filter)
{
    showOf(LayersOf::Draft);
    m_wanted = filter;
    Q_EMIT filterWanted(filter);
}

void LayersView::useTicked()
{
    want(QString::fromStdString(m_model->ticks().filter(m_model->tree())));
}

// What cannot be regions is said here and not added; the graphs for that are made on the pool.
void LayersView::compileTicked()
{
    if (!shown().recognised())
        return;
    const std::string text = m_model->ticks().regions(m_model->tree());
    inBackground(
        this,
        [inspection = shown().inspection, text,
         point = shown().shape]() -> std::optional<core::Note> {
            const core::ModelFamily& family = *inspection->family;
            const auto modes = core::parseCompileModes(text, family.stages().size());
            if (!modes.ok())
                return core::remark(modes.error().message);
            const core::ShapePoint shape{point.batch, family.workload().completed(point.sizes)};
            return family.checkShape(shape).ok() ? core::whyNoRegions(family, modes.value(), shape)
                                                 : std::nullopt;
        },
        [this, text, job = m_job](const std::optional<core::Note>& reason) {
            if (job != m_job)
                return;
            if (reason)
                m_summary->setText(QString::fromStdString(core::noteText(*reason)));
            else
                Q_EMIT compileWanted(QString::fromStdString(text));
        });
}

void LayersView::wantSweep(core::SensitivityUnit unit)
{
    if (!m_draft.recognised())
        return;
    auto sweep = core::sensitivityPreset(m_preset, *m_draft.inspection->family, unit);
    if (sweep.ok())
        Q_EMIT sweepWanted(std::move(sweep).value());
    else
        m_summary->setText(QString::fromStdString(sweep.error().message));
}

void LayersView::showTicks()
{
    if (!isOfDraft())
        return forbidTicks();
    m_useTicked->setEnabled(!m_model->ticks().areThoseOf(m_model->tree()));
    m_compileTicked->setEnabled(!m_model->ticks().empty());
}

void LayersView::forbidTicks()
{
    m_useTicked->setEnabled(false);
    m_compileTicked->setEnabled(false);
}

bool LayersView::isOfRun() const
{
    return m_of->currentData().value<LayersOf>() == LayersOf::Run;
}

const LayerSource& LayersView::shown() const
{
    return isOfRun() ? m_run->source() : m_draft;
}

// Ticks and sweeps of parts are for the draft: they need its model.
bool LayersView::isOfDraft() const
{
    return shown().model == m_draft.model;
}

void LayersView::showOf(LayersOf of)
{
    const QSignalBlocker quiet(m_of);
    m_of->setEnabled(!m_store.isEmpty());
    m_of->setCurrentIndex(m_of->findData(QVariant::fromValue(of)));
    m_shown = false;
    m_run->follow(m_draft);
    offerChoices();
    followSelection();
    refresh();
}

QString LayersView::whyNoLayers() const
{
    const LayerSource& source = shown();
    if (!isOfRun())
        return source.inspection == nullptr
                   ? tr("No model yet")
                   : tr("The model was not recognised; see its load report");
    const QString name = QString::fromStdString(source.model);
    if (source.inspection == nullptr)
        return tr("Reading the model of this run, %1 …").arg(name);
    return tr("The model of this run cannot be read here, so its layers are not known: %1")
        .arg(QString::fromStdString(source.inspection->status.ok()
                                        ? source.model
                                        : source.inspection->status.error().message));
}

// The cell that is looked at in the other views, where the source has it.
void LayersView::followSelection()
{
    const core::CellSummary* cell = m_store.analysis().find(m_store.selectedCell().toStdString());
    if (cell == nullptr)
        return;
    const core::CellConfig& config = cell->cell->config;
    if (isOfRun() && config.model != shown().model) {
        m_run->follow(m_draft);
        offerChoices();
    }
    const int precision =
        m_precision->findText(QString::fromStdString(core::precisionText(config)));
    const int layers = m_layers->findText(QString::fromStdString(config.layers));
    if (precision < 0 || layers < 0)
        return;
    m_precision->setCurrentIndex(precision);
    m_layers->setCurrentIndex(layers);
    refresh();
}

WantedLayers LayersView::wantedLayers() const
{
    return {shown().model, m_precision->currentText().toStdString(),
            m_layers->currentText().toStdString()};
}

// Reports come while a run goes on; what was found is not read again.
void LayersView::findReport()
{
    const WantedLayers wanted = wantedLayers();
    if (!isVisible() || m_reported == wanted)
        return;
    m_searched = false;
    inBackground(
        this, [data = m_store.snapshot(), wanted] { return measuredLayers(*data, wanted); },
        [this, wanted, job = ++m_reportJob](const std::optional<core::LayerReport>& report) {
            if (job != m_reportJob)
                return;
            m_reported = report ? std::optional(wanted) : std::nullopt;
            m_model->setReport(report);
            showReportColumns();
            m_searched = true;
            if (m_shown)
                m_summary->setText(summary());
        });
}

void LayersView::showReportColumns()
{
    for (int column = LayerTreeModel::Scale; column <= LayerTreeModel::DeadColumns; ++column) {
        const bool shown = m_model->isReported(column);
        const bool fresh = shown && m_view->isColumnHidden(column);
        m_view->setColumnHidden(column, !shown);
        if (fresh)
            m_view->resizeColumnToContents(column);
    }
}

void LayersView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
    findReport();
}

}  // namespace qs::widgets
