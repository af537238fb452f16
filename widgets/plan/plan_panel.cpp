#include "widgets/plan/plan_panel.h"

#include "core/device/host_memory.h"
#include "core/device/host_room.h"
#include "core/sweep/plan_needs.h"
#include "widgets/model/model_status.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/device_chooser.h"
#include "widgets/plan/model_edit.h"
#include "widgets/plan/picture_edit.h"
#include "widgets/plan/plan_footer.h"
#include "widgets/plan/plan_text.h"
#include "widgets/plan/planned_cells_dialog.h"
#include "widgets/plan/preset_edit.h"
#include "widgets/plan/sweep_editor.h"

#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <system_error>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kReplanDelayMs = 150;  // while a person types

// One text for one file, however its path was written.
QString keyOf(const std::filesystem::path& file)
{
    std::error_code ignored;
    return file.empty() ? QString()
                        : QString::fromStdString(
                              std::filesystem::absolute(file, ignored).lexically_normal().string());
}

}  // namespace

PlanPanel::PlanPanel(std::filesystem::path resourceFolder, Planner::Maker maker, QWidget* parent)
    : QWidget(parent),
      m_resourceFolder(std::move(resourceFolder)),
      m_history(this),
      m_planner(std::move(maker)),
      m_inspector(m_resourceFolder)
{
    setObjectName(QStringLiteral("planPanel"));
    m_engine.devices = {core::describeCpu()};
    m_replanTimer.setSingleShot(true);
    m_replanTimer.setInterval(kReplanDelayMs);
    connect(&m_replanTimer, &QTimer::timeout, this, &PlanPanel::replan);
    connect(&m_planner, &Planner::planned, this, &PlanPanel::receive);
    connect(&m_inspector, &ModelInspector::inspected, this, &PlanPanel::receiveInspection);
    connect(&m_history, &DraftHistory::restored, this, [this] {
        showPreset();
        edited();
    });
    build();
    connectEditors();
    m_device->setEngine(m_engine);
    updateRunButton();
}

PlanPanel::~PlanPanel()
{
    // A line that loses the focus as the window goes tells what was typed: nobody is left to hear.
    m_model->disconnect(this);
}

void PlanPanel::connectEditors()
{
    connect(&m_planner, &Planner::reasonsFound, m_sweep, &SweepEditor::setReasons);
    connect(m_model, &ModelEdit::modelsEdited, this, &PlanPanel::setModels);
    connect(m_modelStatus, &ModelStatus::choiceMade, this, &PlanPanel::setModel);
    connect(m_device, &DeviceChooser::deviceEdited, this, [this](const QString& id) {
        planForThisComputer();
        editAxis("device", {id}, tr("device"));
    });
    connect(m_device, &DeviceChooser::plannedForChosen, this, &PlanPanel::planFor);
    connect(m_sweep, &SweepEditor::edited, this, &PlanPanel::change);
    connect(m_sweep, &SweepEditor::refused, this, &PlanPanel::refuse);
    connect(m_sweep, &SweepEditor::validityChanged, this, &PlanPanel::updateRunButton);
    connect(m_pictures, &PictureEdit::picturesEdited, this,
            [this](const core::PictureSettings& pictures) {
                core::Preset changed = preset();
                changed.pictures = pictures;
                m_sweep->adoptPreset(changed);
                change(std::move(changed), tr("pictures"), true);
            });
    connect(m_footer, &PlanFooter::cellsRequested, this, &PlanPanel::showCells);
    connect(m_run, &QPushButton::clicked, this, &PlanPanel::run);
    connect(m_append, &QPushButton::clicked, this, &PlanPanel::append);
}

void PlanPanel::setPresets(std::vector<PresetEntry> entries)
{
    const QSignalBlocker blocker(m_chooser);
    m_chooser->clear();
    QString group;
    for (const PresetEntry& entry : entries) {
        if (m_chooser->count() > 0 && entry.group != group)
            m_chooser->insertSeparator(m_chooser->count());
        group = entry.group;
        m_chooser->addItem(entry.name, keyOf(entry.path));
        const QString about = entry.problem.isEmpty() ? entry.description : entry.problem;
        m_chooser->setItemData(
            m_chooser->count() - 1,
            plainTip(tr("%1: %2", "group: what a preset is for").arg(entry.group, about)),
            Qt::ToolTipRole);
    }
    m_chooser->setCurrentIndex(m_chooser->findData(keyOf(source())));
}

void PlanPanel::setPreset(const core::Preset& preset, const std::filesystem::path& source)
{
    const bool undoable = m_history.isEdited();
    if (undoable)
        m_history.change({preset, source},
                         tr("opening %1").arg(QString::fromStdString(preset.name)), false);
    else
        m_history.reset({preset, source}, false);
    if (undoable && m_draftFile != nullptr)
        m_draftFile->keep(preset);
    showPreset();
    m_replanTimer.stop();
    replan();
}

void PlanPanel::setDraftFile(const std::filesystem::path& path)
{
    m_draftFile = std::make_unique<DraftFile>(path);
    connect(m_draftFile.get(), &DraftFile::failed, this, &PlanPanel::draftNotKept);
}

void PlanPanel::restoreDraft(const core::Preset& preset)
{
    m_history.reset({preset, {}}, true);
    showPreset();
    replan();
}

void PlanPanel::setRecentModels(const QStringList& paths)
{
    m_model->setRecent(paths);
}

void PlanPanel::showPreset()
{
    const core::Preset& shown = preset();
    const QSignalBlocker blocker(m_chooser);
    m_chooser->setCurrentIndex(m_chooser->findData(keyOf(source())));
    if (m_chooser->currentIndex() < 0)
        m_chooser->setPlaceholderText(QString::fromStdString(shown.name));
    m_description->setText(QString::fromStdString(shown.description));
    m_description->setToolTip(plainTip(m_description->text()));
    m_description->setVisible(!shown.description.empty());
    m_model->setModels(axisValues(shown, "model"));
    const QStringList devices = axisValues(shown, "device");
    if (m_plannedFor && devices != QStringList{QString::fromStdString(m_plannedFor->id)}) {
        m_plannedFor.reset();
        m_device->setPlannedFor(nullptr);
    }
    m_device->setDevices(devices);
    m_sweep->setPreset(shown);
    m_pictures->setPictures(shown.pictures);
    inspectModel();
    Q_EMIT presetShown();
}

void PlanPanel::setEngine(const EngineState& engine)
{
    m_engine = engine;
    m_device->setEngine(engine);
    replan();
}

void PlanPanel::setQueueing(bool queueing)
{
    m_queueing = queueing;
    updateRunButton();
}

void PlanPanel::setAppendable(bool appendable)
{
    m_appendable = appendable;
    updateRunButton();
}

void PlanPanel::setPictureSource(const QString& path)
{
    core::Preset changed = preset();
    changed.pictures.source = path.toStdString();
    m_pictures->setPictures(changed.pictures);
    m_sweep->adoptPreset(changed);
    change(std::move(changed), tr("pictures"));
}

void PlanPanel::change(core::Preset changed, const QString& what, bool typing)
{
    m_history.change({std::move(changed), source()}, what, typing);
    edited();
}

void PlanPanel::editAxis(const std::string& axis, const QStringList& values, const QString& what)
{
    core::Preset changed = preset();
    const core::Status status = setAxisValues(changed, axis, values);
    if (!status.ok()) {
        refuse(QString::fromStdString(status.error().message));
        return;
    }
    m_sweep->adoptPreset(changed);
    m_device->setDevices(axisValues(changed, "device"));
    change(std::move(changed), what);
}

void PlanPanel::refuse(const QString& problem)
{
    m_plan.reset();
    m_planProblem = problem;
    m_footer->showProblem(m_planProblem);
    updateRunButton();
}

void PlanPanel::edited()
{
    // What is on the screen is no longer what the old plan says.
    m_plan.reset();
    m_replanTimer.start();
    m_footer->showPlanning();
    updateRunButton();
    if (m_draftFile != nullptr)
        m_draftFile->keep(preset());
    Q_EMIT presetEdited();
}

void PlanPanel::replan()
{
    m_plan.reset();
    m_planProblem.clear();
    m_footer->showPlanning();
    updateRunButton();
    m_planner.request(preset(), {devices(), m_resourceFolder, false});
}

void PlanPanel::receive(const Planner::Answer& answer)
{
    if (answer->ok()) {
        m_plan = answer->value();
        m_planProblem.clear();
        m_footer->showPlan(*m_plan, objectionTo(*m_plan));
    } else {
        m_planProblem = QString::fromStdString(answer->error().message);
        m_footer->showProblem(m_planProblem);
    }
    updateRunButton();
    Q_EMIT planChanged();
}

QString PlanPanel::objectionTo(const core::Plan& plan) const
{
    const core::HostRoom room{core::hostMemory(), core::freeSpace(m_runsFolder)};
    const core::Status fits = core::checkRoom(core::needsOf(plan), room);
    return fits.ok() ? QString() : QString::fromStdString(fits.error().message);
}

void PlanPanel::setRunsFolder(const std::filesystem::path& folder)
{
    m_runsFolder = folder;
}

bool PlanPanel::isSettled() const
{
    return !m_planner.isPlanning() && !m_replanTimer.isActive() && !m_inspector.isBusy();
}

void PlanPanel::showCells()
{
    if (!m_plan)
        return;
    auto* dialog = new PlannedCellsDialog(*m_plan, window());
    dialog->show();
}

QString PlanPanel::whyNotRun() const
{
    if (m_plannedFor)
        return tr("This is planned for an %1, which is not in this computer. Choose a device of "
                  "this computer to run it")
            .arg(QString::fromStdString(m_plannedFor->name));
    if (m_engine.kind == EngineState::Kind::Looking)
        return tr("Looking for devices…");
    if (m_engine.kind == EngineState::Kind::Missing)
        return m_engine.problem;
    if (!m_sweep->isValid())
        return tr("A number of the sweep is not valid: the line below it says why");
    if (!m_plan)
        return m_planProblem.isEmpty() ? tr("Counting cells…") : m_planProblem;
    return m_plan->possibleCells() == 0 ? tr("No cell of this sweep can run here") : QString();
}

bool PlanPanel::canRun() const
{
    return whyNotRun().isEmpty();
}

void PlanPanel::updateRunButton()
{
    const QString why = whyNotRun();
    m_run->setEnabled(why.isEmpty());
    const QString what = m_queueing ? tr("Start this sweep when the running one has ended (Ctrl+R)")
                                    : tr("Start this sweep (Ctrl+R)");
    m_run->setToolTip(plainTip(why.isEmpty() ? what : why));
    m_run->setAccessibleDescription(why);
    m_append->setVisible(m_appendable);
    m_append->setEnabled(why.isEmpty());
    m_append->setAccessibleDescription(why);
    m_append->setToolTip(
        plainTip(why.isEmpty() ? tr("Measure the cells that the run in view does not have yet, in "
                                    "rounds of their own together with their baselines "
                                    "(Ctrl+Shift+R)")
                               : why));
    m_run->setText(m_plan && m_plan->possibleCells() > 0
                       ? (m_queueing ? tr("Queue %1 · %2") : tr("Run %1 · %2"))
                             .arg(QLocale().toString(m_plan->possibleCells()),
                                  aboutText(m_plan->estimatedSeconds()))
                       : (m_queueing ? tr("Queue") : tr("Run")));
}

void PlanPanel::append()
{
    if (canRun() && m_appendable)
        Q_EMIT appendRequested(*m_plan);
}

void PlanPanel::run()
{
    if (canRun())
        Q_EMIT runRequested(*m_plan);
}

}  // namespace qs::widgets
