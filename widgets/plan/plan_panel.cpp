#include "widgets/plan/plan_panel.h"

#include "widgets/plan/choice_list.h"
#include "widgets/plan/device_chooser.h"
#include "widgets/plan/model_edit.h"
#include "widgets/plan/picture_edit.h"
#include "widgets/plan/plan_footer.h"
#include "widgets/plan/plan_text.h"
#include "widgets/plan/preset_edit.h"
#include "widgets/plan/range_edit.h"

#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kReplanDelayMs = 150;  // while a person types

}  // namespace

PlanPanel::PlanPanel(std::filesystem::path resourceFolder, Planner::Maker maker, QWidget* parent)
    : QWidget(parent), m_resourceFolder(std::move(resourceFolder)), m_planner(std::move(maker))
{
    setObjectName(QStringLiteral("planPanel"));
    m_engine.devices = {core::describeCpu()};
    m_replanTimer.setSingleShot(true);
    m_replanTimer.setInterval(kReplanDelayMs);
    connect(&m_replanTimer, &QTimer::timeout, this, &PlanPanel::replan);
    connect(&m_planner, &Planner::planned, this, &PlanPanel::receive);
    build();
    connectEditors();
    m_device->setEngine(m_engine);
    updateRunButton();
}

void PlanPanel::connectEditors()
{
    connect(m_model, &ModelEdit::modelEdited, this, &PlanPanel::setModel);
    connect(m_device, &DeviceChooser::deviceEdited, this,
            [this](const QString& id) { edit("device", {id}); });
    connect(m_precision, &ChoiceList::valuesEdited, this,
            [this](const QStringList& values) { edit("precision", values); });
    connect(m_compile, &ChoiceList::valuesEdited, this,
            [this](const QStringList& values) { edit("compile", values); });
    connect(m_batch, &RangeEdit::valuesEdited, this,
            [this](const QStringList& values) { edit("batch", values); });
    connect(m_imageSize, &RangeEdit::valuesEdited, this,
            [this](const QStringList& values) { edit("image_size", values); });
    connect(m_batch, &RangeEdit::validityChanged, this, &PlanPanel::updateRunButton);
    connect(m_imageSize, &RangeEdit::validityChanged, this, &PlanPanel::updateRunButton);
    connect(m_pictures, &PictureEdit::picturesEdited, this,
            [this](const core::PictureSettings& pictures) {
                m_preset.pictures = pictures;
                edited();
            });
    connect(m_rounds, &QSpinBox::valueChanged, this, [this](int rounds) {
        m_preset.rounds = rounds;
        edited();
    });
    connect(m_run, &QPushButton::clicked, this, &PlanPanel::run);
}

void PlanPanel::setShippedPresets(std::vector<PresetEntry> entries)
{
    const QSignalBlocker blocker(m_chooser);
    m_chooser->clear();
    QString group;
    for (const PresetEntry& entry : entries) {
        if (m_chooser->count() > 0 && entry.group != group)
            m_chooser->insertSeparator(m_chooser->count());
        group = entry.group;
        m_chooser->addItem(entry.name, QString::fromStdString(entry.path.string()));
        const QString about = entry.problem.isEmpty() ? entry.description : entry.problem;
        m_chooser->setItemData(m_chooser->count() - 1,
                               tr("%1: %2", "group: what a preset is for").arg(entry.group, about),
                               Qt::ToolTipRole);
    }
    m_chooser->setCurrentIndex(-1);
}

void PlanPanel::setPreset(const core::Preset& preset, const std::filesystem::path& source)
{
    m_preset = preset;
    const QSignalBlocker blocker(m_chooser);
    m_chooser->setCurrentIndex(m_chooser->findData(QString::fromStdString(source.string())));
    if (m_chooser->currentIndex() < 0)
        m_chooser->setPlaceholderText(QString::fromStdString(preset.name));
    showPreset();
    m_replanTimer.stop();
    replan();
}

void PlanPanel::showPreset()
{
    m_description->setText(QString::fromStdString(m_preset.description));
    m_description->setVisible(!m_preset.description.empty());
    m_model->setModels(axisValues(m_preset, "model"));
    m_device->setDevices(axisValues(m_preset, "device"));
    m_precision->setValues(axisValues(m_preset, "precision"));
    m_compile->setValues(axisValues(m_preset, "compile"));
    m_batch->setValues(axisValues(m_preset, "batch"));
    m_imageSize->setValues(axisValues(m_preset, "image_size"));
    m_pictures->setPictures(m_preset.pictures);
    const QSignalBlocker blocker(m_rounds);
    m_rounds->setMaximum(std::max(kUsualRounds, m_preset.rounds));
    m_rounds->setValue(m_preset.rounds);
}

void PlanPanel::setEngine(const EngineState& engine)
{
    m_engine = engine;
    m_device->setEngine(engine);
    replan();
}

void PlanPanel::setRunBlocked(const QString& reason)
{
    m_blocked = reason;
    updateRunButton();
}

void PlanPanel::setModel(const QString& reference)
{
    if (axisValues(m_preset, "model") != QStringList{reference})
        edit("model", {reference});
    m_model->setModels(axisValues(m_preset, "model"));
}

void PlanPanel::setPictureSource(const QString& path)
{
    m_preset.pictures.source = path.toStdString();
    m_pictures->setPictures(m_preset.pictures);
    edited();
}

void PlanPanel::edit(const std::string& axis, const QStringList& values)
{
    const core::Status status = setAxisValues(m_preset, axis, values);
    if (status.ok()) {
        edited();
        return;
    }
    m_plan.reset();
    m_planProblem = QString::fromStdString(status.error().message);
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
    Q_EMIT presetEdited();
}

void PlanPanel::replan()
{
    m_plan.reset();
    m_planProblem.clear();
    m_footer->showPlanning();
    updateRunButton();
    m_planner.request(m_preset, {m_engine.devices, m_resourceFolder, false});
}

void PlanPanel::receive(const Planner::Answer& answer)
{
    if (answer->ok()) {
        m_plan = answer->value();
        m_planProblem.clear();
        m_footer->showPlan(*m_plan);
    } else {
        m_planProblem = QString::fromStdString(answer->error().message);
        m_footer->showProblem(m_planProblem);
    }
    updateRunButton();
    Q_EMIT planChanged();
}

QString PlanPanel::whyNotRun() const
{
    if (m_engine.kind == EngineState::Kind::Looking)
        return tr("Looking for devices…");
    if (m_engine.kind == EngineState::Kind::Missing)
        return m_engine.problem;
    if (!m_blocked.isEmpty())
        return m_blocked;
    if (!m_batch->isValid() || !m_imageSize->isValid())
        return tr("A list of numbers is not valid");
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
    m_run->setToolTip(why.isEmpty() ? tr("Start this sweep (Ctrl+R)") : why);
    m_run->setAccessibleDescription(why);
    m_run->setText(m_plan && m_plan->possibleCells() > 0
                       ? tr("Run %1 · %2")
                             .arg(QLocale().toString(m_plan->possibleCells()),
                                  aboutText(m_plan->estimatedSeconds()))
                       : tr("Run"));
}

void PlanPanel::run()
{
    if (canRun())
        Q_EMIT runRequested(*m_plan);
}

}  // namespace qs::widgets
