#include "widgets/plan/plan_panel.h"

#include "widgets/plan/calibration_edit.h"
#include "widgets/plan/device_chooser.h"
#include "widgets/plan/editor_filter.h"
#include "widgets/plan/model_part.h"
#include "widgets/plan/picture_edit.h"
#include "widgets/plan/plan_footer.h"
#include "widgets/plan/planned_cells_dialog.h"
#include "widgets/plan/preset_bar.h"
#include "widgets/plan/preset_edit.h"
#include "widgets/plan/run_buttons.h"
#include "widgets/plan/sweep_editor.h"

#include <QApplication>
#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStyle>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

void showFamily(const core::ModelFamily& family, SweepEditor& editor)
{
    QStringList stages;
    for (const core::StageInfo& stage : family.stages())
        stages << QString::fromStdString(stage.name);
    editor.setStages(stages);
    std::vector<std::string> sizes;
    for (const core::SizeSpec& size : family.workload().sizes)
        sizes.push_back(size.name);
    editor.setSizes(sizes);
}

}  // namespace

PlanPanel::PlanPanel(const std::filesystem::path& resourceFolder, Planner::Maker maker,
                     QWidget* parent)
    : QWidget(parent),
      m_draft(this),
      m_planned(m_draft, std::move(maker), resourceFolder),
      m_presets(new PresetBar(m_draft, this)),
      m_model(new ModelPart(resourceFolder, this)),
      m_pictures(new PictureEdit(this)),
      m_calibration(new CalibrationEdit(this)),
      m_device(new DeviceChooser(this)),
      m_sweep(new SweepEditor(this)),
      m_footer(new PlanFooter(this)),
      m_buttons(new RunButtons(this))
{
    setObjectName(QStringLiteral("planPanel"));
    build();
    connectParts();
    connectEditors();
    m_device->setEngine(m_planned.engine());
    updateButtons();
}

PlanPanel::~PlanPanel()
{
    // A line that loses the focus as the window goes tells what was typed: nobody is left to hear.
    m_model->disconnect(this);
}

void PlanPanel::build()
{
    // The editors scroll; the footer and the buttons that all of it is for stay in view.
    auto* content = new QWidget(this);
    auto* contentLayout = new QVBoxLayout(content);
    contentLayout->addWidget(m_presets);
    contentLayout->addWidget(buildEditors());
    contentLayout->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("planScroll"));
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);  // it follows the focus of what it holds
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // By a key of a label: what is clicked is in view already.
    connect(qApp, &QApplication::focusChanged, scroll, [scroll](QWidget*, QWidget* now) {
        if (now != nullptr && scroll->isAncestorOf(now) &&
            QApplication::mouseButtons() == Qt::NoButton)
            scroll->ensureWidgetVisible(now);
    });
    // The bar takes its width from the content, which must not be cut; the matrix of pairs scrolls.
    const QMargins around = contentLayout->contentsMargins();
    scroll->setMinimumWidth(content->minimumSizeHint().width() +
                            style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, scroll));

    auto* bottom = new QVBoxLayout;
    bottom->setContentsMargins(around.left(), 0, around.left(), around.left());
    bottom->addWidget(m_footer);
    bottom->addWidget(m_buttons);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll, 1);
    layout->addLayout(bottom);
    new EditorFilter(*this);
    // A label gives its key only to what takes the keyboard itself; editors of several parts hand
    // it on to one of them. The policy reaches that part, too: it has to take clicks.
    for (const QLabel* label : findChildren<QLabel*>()) {
        QWidget* editor = label->buddy();
        if (editor != nullptr && editor->focusProxy() != nullptr)
            editor->setFocusPolicy(Qt::StrongFocus);
    }
}

QWidget* PlanPanel::buildEditors()
{
    m_sweep->setObjectName(QStringLiteral("sweepEditor"));
    auto* part = new QWidget(this);
    m_editors = new QFormLayout(part);
    m_editors->setContentsMargins(0, 0, 0, 0);
    // Long words wrap under their label in a narrow panel instead of being cut.
    m_editors->setRowWrapPolicy(QFormLayout::WrapAllRows);
    m_editors->setVerticalSpacing(2);
    m_editors->addRow(tr("&Model"), m_model);
    m_editors->addRow(tr("Ima&ges"), m_pictures);
    m_editors->addRow(m_calibration);
    m_editors->addRow(tr("&Device"), m_device);
    m_editors->addRow(m_sweep);
    return part;
}

void PlanPanel::connectParts()
{
    connect(&m_draft, &SweepDraft::shown, this, &PlanPanel::showDraft);
    // Files that feed the model are read for the sizes of the sweep.
    connect(&m_draft, &SweepDraft::edited, this, [this] {
        m_model->showFeeding(preset());
        m_calibration->showPreset(preset());
    });
    connect(&m_planned, &DraftPlan::changed, this, &PlanPanel::showPlan);
    connect(&m_planned, &DraftPlan::reasonsFound, m_sweep, &SweepEditor::setReasons);
    connect(m_model, &ModelPart::problemChanged, this, &PlanPanel::updateButtons);
    connect(m_model, &ModelPart::problemChanged, this, [this] {
        // While the model is read nothing moves: what it takes may be the same.
        if (m_model->isBusy() || m_takesImages == m_model->takesImages())
            return;
        m_takesImages = m_model->takesImages();
        m_editors->setRowVisible(m_pictures, m_takesImages);
    });
    connect(m_presets, &PresetBar::presetChosen, this, &PlanPanel::presetChosen);
    connect(m_presets, &PresetBar::browseRequested, this, &PlanPanel::browseRequested);
    connect(m_footer, &PlanFooter::cellsRequested, this, [this] {
        if (m_planned.plan())
            (new PlannedCellsDialog(*m_planned.plan(), window()))->show();
    });
    connect(m_buttons, &RunButtons::runClicked, this, &PlanPanel::run);
    connect(m_buttons, &RunButtons::appendClicked, this, &PlanPanel::append);
}

void PlanPanel::connectEditors()
{
    connect(m_model, &ModelPart::modelsEdited, this, &PlanPanel::setModels);
    connect(m_model, &ModelPart::opened, this, &PlanPanel::modelOpened);
    connect(m_model, &ModelPart::inspected, this, [this](const Inspection& inspection) {
        if (inspection != nullptr && inspection->family != nullptr)
            showFamily(*inspection->family, *m_sweep);
        m_calibration->setInspection(inspection);
        const Inspection only = m_model->hasSeveral() ? nullptr : inspection;
        if (only != nullptr && only->usable()) {
            if (const auto fit = m_fit.fitted(preset(), *only)) {
                m_device->setDevices(axisValues(*fit, "device"));
                adopt(*fit, tr("precision and compile mode"));
            }
        }
        Q_EMIT modelInspected(only);
    });
    connect(m_model, &ModelPart::feedingEdited, this,
            [this](const core::ModelFeeding& feeding, bool typing) {
                core::Preset changed = preset();
                changed.feeding = feeding;
                m_sweep->adoptPreset(changed);
                m_draft.change(std::move(changed), tr("inputs and outputs"), typing);
            });
    connect(m_device, &DeviceChooser::deviceEdited, this, [this](const QString& id) {
        m_device->setPlannedFor(nullptr);
        m_planned.setPlannedFor(std::nullopt);
        editAxis("device", {id}, tr("device"));
    });
    connect(m_device, &DeviceChooser::plannedForChosen, this,
            [this](const core::DeviceDescription& device) {
                m_device->setPlannedFor(&device);
                const QString id = QString::fromStdString(device.id);
                if (axisValues(preset(), "device") != QStringList{id})
                    editAxis("device", {id}, tr("device"));
                m_planned.setPlannedFor(device);
            });
    connect(m_sweep, &SweepEditor::edited, &m_draft, &SweepDraft::change);
    connect(m_sweep, &SweepEditor::refused, &m_planned, &DraftPlan::refuse);
    connect(m_sweep, &SweepEditor::validityChanged, this, &PlanPanel::updateButtons);
    connect(m_calibration, &CalibrationEdit::problemChanged, this, &PlanPanel::updateButtons);
    connect(m_calibration, &CalibrationEdit::calibrationEdited, this,
            [this](const core::CalibrationInputs& calibration, bool typing) {
                core::Preset changed = preset();
                changed.calibration = calibration;
                m_sweep->adoptPreset(changed);
                m_draft.change(std::move(changed), tr("calibration set"), typing);
            });
    connect(m_pictures, &PictureEdit::picturesEdited, this,
            [this](const core::PictureSettings& pictures) {
                core::Preset changed = preset();
                changed.pictures = pictures;
                m_sweep->adoptPreset(changed);
                m_draft.change(std::move(changed), tr("images"), true);
            });
}

void PlanPanel::setPresets(const std::vector<PresetEntry>& entries)
{
    m_presets->setPresets(entries);
}

void PlanPanel::setRecentModels(const QStringList& paths)
{
    m_model->setRecent(paths);
}

void PlanPanel::setEngine(const EngineState& engine)
{
    m_device->setEngine(engine);
    m_planned.setEngine(engine);
}

void PlanPanel::setQueueing(bool queueing)
{
    m_queueing = queueing;
    updateButtons();
}

void PlanPanel::setAppendable(bool appendable)
{
    m_appendable = appendable;
    updateButtons();
}

void PlanPanel::setPictureSource(const QString& path)
{
    core::Preset changed = preset();
    changed.pictures.source = path.toStdString();
    m_pictures->setPictures(changed.pictures);
    m_sweep->adoptPreset(changed);
    m_draft.change(std::move(changed), tr("images"));
    m_model->giveImages();
}

void PlanPanel::adopt(const core::Preset& changed, const QString& what)
{
    m_draft.change(changed, what);
    m_sweep->setPreset(preset());
}

void PlanPanel::setModels(const QStringList& references)
{
    if (axisValues(preset(), "model") != references)
        editAxis("model", references, references.size() == 1 ? tr("model") : tr("models"));
    m_model->showModels(axisValues(preset(), "model"), preset().defaults.seed);
}

void PlanPanel::editAxis(const std::string& axis, const QStringList& values, const QString& what)
{
    core::Preset changed = preset();
    const core::Status status = setAxisValues(changed, axis, values);
    if (!status.ok()) {
        m_planned.refuse(QString::fromStdString(status.error().message));
        return;
    }
    m_sweep->adoptPreset(changed);
    m_device->setDevices(axisValues(changed, "device"));
    m_draft.change(std::move(changed), what);
}

void PlanPanel::showDraft()
{
    const core::Preset& shown = preset();
    if (!m_planned.plannedFor())
        m_device->setPlannedFor(nullptr);
    m_device->setDevices(axisValues(shown, "device"));
    m_sweep->setPreset(shown);
    m_pictures->setPictures(shown.pictures);
    m_calibration->showPreset(shown);
    m_model->showFeeding(shown);
    m_model->showModels(axisValues(shown, "model"), shown.defaults.seed);
}

void PlanPanel::showPlan()
{
    m_calibration->showPlan(m_planned.plan() ? &*m_planned.plan() : nullptr);
    if (m_planned.plan())
        m_footer->showPlan(*m_planned.plan(), m_planned.objection());
    else if (!m_planned.problem().isEmpty())
        m_footer->showProblem(m_planned.problem());
    else
        m_footer->showPlanning();
    updateButtons();
}

bool PlanPanel::isSettled() const
{
    return m_planned.isSettled() && !m_model->isBusy() && !m_pictures->isBusy();
}

QString PlanPanel::whyNotRun() const
{
    const EngineState& engine = m_planned.engine();
    if (m_planned.plannedFor())
        return tr("Planned for %1, which this computer does not have. Choose a device of this "
                  "computer to run the sweep")
            .arg(QString::fromStdString(m_planned.plannedFor()->name));
    if (engine.kind == EngineState::Kind::Looking)
        return tr("Detecting devices…");
    if (engine.kind == EngineState::Kind::Missing)
        return engine.problem;
    if (!m_sweep->isValid())
        return tr("A number of the sweep is not valid; see the message below it");
    for (const QString& problem : {m_model->problem(), m_calibration->problem()}) {
        if (!problem.isEmpty())
            return problem;
    }
    if (!m_planned.plan())
        return m_planned.problem().isEmpty() ? tr("Counting cells…") : m_planned.problem();
    return m_planned.plan()->possibleCells() == 0 ? tr("No cell of this sweep can run here")
                                                  : QString();
}

void PlanPanel::updateButtons()
{
    m_buttons->showOffer({.plan = m_planned.plan() ? &*m_planned.plan() : nullptr,
                          .obstacle = whyNotRun(),
                          .queueing = m_queueing,
                          .appendable = m_appendable});
}

void PlanPanel::run()
{
    if (canRun())
        Q_EMIT runRequested(*m_planned.plan());
}

void PlanPanel::append()
{
    if (canRun() && m_appendable)
        Q_EMIT appendRequested(*m_planned.plan());
}

}  // namespace qs::widgets

#include "moc_plan_panel.cpp"
