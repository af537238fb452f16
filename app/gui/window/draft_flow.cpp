#include "app/gui/window/draft_flow.h"

#include "app/gui/dropped_item.h"
#include "app/gui/file_dialog.h"
#include "app/gui/path_text.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/sweep/olmoearth/throughput_config.h"
#include "widgets/background/in_background.h"
#include "widgets/plan/plan_panel.h"
#include "widgets/plan/preset_browser.h"
#include "widgets/plan/preset_edit.h"

#include <nlohmann/json.hpp>

#include <QFileInfo>

#include <memory>
#include <utility>

namespace qs::app {

namespace {

QString fileNameOf(QString presetName)
{
    return presetName.replace(QLatin1Char('/'), QLatin1Char('-'));
}

std::shared_ptr<core::Json> kept(const core::Preset& preset)
{
    return std::make_shared<core::Json>(core::toJson(widgets::inOneOrder(preset)));
}

}  // namespace

DraftFlow::DraftFlow(widgets::PlanPanel& plan, Settings& settings, Messages& messages,
                     QWidget& window, std::filesystem::path presets)
    : m_plan(plan),
      m_settings(settings),
      m_messages(messages),
      m_window(window),
      m_presets(std::move(presets))
{
    using widgets::PlanPanel;
    listPresets();
    m_plan.draft().keepIn(m_settings.draftFile());
    m_plan.setRecentModels(m_settings.recentModels());
    connect(&m_plan, &PlanPanel::openPresetRequested, this, &DraftFlow::askAndOpen);
    connect(&m_plan, &PlanPanel::presetChosen, this,
            [this](const QString& file) { open(pathOf(file)); });
    connect(&m_plan.draft(), &widgets::SweepDraft::edited, this, &DraftFlow::edited);
    connect(&m_plan, &PlanPanel::browseRequested, this, &DraftFlow::browse);
    connect(&m_plan, &PlanPanel::modelOpened, this, [this](const QString& path) {
        m_settings.addRecentModel(path);
        m_plan.setRecentModels(m_settings.recentModels());
    });
    connect(&m_plan.draft(), &widgets::SweepDraft::notKept, this, [this](const QString& problem) {
        m_messages.notify(tr("The draft could not be saved: %1").arg(problem));
    });
}

void DraftFlow::listPresets()
{
    std::vector<widgets::PresetEntry> entries = widgets::listPresets(m_presets);
    for (widgets::PresetEntry& own : widgets::listPresets(m_settings.presetFolder())) {
        own.group = tr("your presets");
        entries.push_back(std::move(own));
    }
    m_plan.setPresets(entries);
}

void DraftFlow::show(const core::Preset& preset, const std::filesystem::path& file)
{
    m_first = false;
    m_name = QString::fromStdString(preset.name);
    m_plan.draft().open(preset, file);
    m_origin = {file, kept(preset)};
    // It takes the place of an edited one in the file of the draft.
    if (m_plan.draft().history().isEdited())
        m_settings.setDraftSource(textOf(file));
    markModified();
    Q_EMIT changed();
}

void DraftFlow::markModified()
{
    const std::filesystem::path& source = m_plan.draft().source();
    // Undo may have brought the draft of another file back, and so does a restart.
    if (source != m_origin.source) {
        m_origin = {source, nullptr};
        if (const auto preset = core::readPreset(source); !source.empty() && preset.ok())
            m_origin.preset = kept(preset.value());
    }
    const bool edited = m_origin.preset == nullptr || *m_origin.preset != *kept(m_plan.preset());
    m_plan.draft().setDiffers(edited);
    m_window.setWindowModified(edited || source.empty());
}

void DraftFlow::open(const std::filesystem::path& file)
{
    const core::Result<core::Json> json = core::readJsonFile(file);
    if (json.ok() && core::olmoearth::isThroughputConfig(json.value())) {
        openBenchmark(json.value(), file);
        return;
    }
    const core::Result<core::Preset> preset = core::readPreset(file);
    if (!preset.ok()) {
        m_messages.showProblem(tr("Cannot open the preset"),
                               QString::fromStdString(preset.error().message));
        return;
    }
    m_settings.addRecentPreset(textOf(file));
    show(preset.value(), file);
    Q_EMIT brought();
    Q_EMIT recentChanged();
}

void DraftFlow::openBenchmark(const core::Json& json, const std::filesystem::path& file)
{
    const auto sweep =
        core::olmoearth::throughputSweepOf(json, textOf(file.filename()).toStdString());
    if (!sweep.ok()) {
        m_messages.showProblem(tr("Cannot open the sweep of the benchmark"),
                               QString::fromStdString(sweep.error().message));
        return;
    }
    m_settings.addRecentPreset(textOf(file));
    Q_EMIT recentChanged();
    take(sweep.value().preset);
    m_messages.notify(tr("Opened the runs of %1 as a sweep").arg(textOf(file.filename())));
    QStringList unused;
    for (const std::string& note : sweep.value().notes)
        unused += QString::fromStdString(note);
    if (!unused.isEmpty())
        m_messages.showProblem(tr("Not all of this file is used"), unused.join(QLatin1Char('\n')));
}

void DraftFlow::openFirst(bool hasGpu)
{
    if (!m_first && restore())
        return;
    const std::filesystem::path file =
        m_presets / "quick_start" / (hasGpu ? "demo_gpu.json" : "demo_cpu.json");
    const core::Result<core::Preset> preset = core::readPreset(file);
    // An installation without presets starts with an empty draft, not with an error.
    if (!preset.ok())
        return;
    show(preset.value(), file);
    m_first = true;
}

bool DraftFlow::restore()
{
    const core::Result<core::Preset> draft = widgets::DraftFile::read(m_settings.draftFile());
    if (!draft.ok()) {
        if (draft.error().code != core::ErrorCode::NotFound)
            m_messages.notify(tr("Cannot read your last draft"));
        return false;
    }
    m_name = QString::fromStdString(draft.value().name);
    m_plan.draft().restore(draft.value(), pathOf(m_settings.draftSource()));
    m_messages.notify(tr("Your last draft was restored"));
    markModified();
    Q_EMIT changed();
    return true;
}

void DraftFlow::take(const core::Preset& preset)
{
    show(preset, {});
    Q_EMIT brought();
}

void DraftFlow::edited()
{
    m_first = false;
    // Undo may have brought another preset back.
    m_name = QString::fromStdString(m_plan.preset().name);
    m_settings.setDraftSource(textOf(m_plan.draft().source()));
    markModified();
    Q_EMIT changed();
}

void DraftFlow::askAndOpen()
{
    askForFile(m_window,
               {.name = "openPresetDialog",
                .title = tr("Open a preset"),
                .filter = tr("Presets (*.json); exported figures (*.png)")
                              .replace(QStringLiteral("; "), QStringLiteral(";;"))},
               [this](const QString& file) {
                   if (mayHoldPreset(pathOf(file)))
                       openFigure(pathOf(file));
                   else
                       open(pathOf(file));
               });
}

void DraftFlow::openFigure(const std::filesystem::path& file)
{
    widgets::inBackground(
        this, [file] { return std::make_shared<const EmbeddedPreset>(embeddedPreset(file)); },
        [this, file](const std::shared_ptr<const EmbeddedPreset>& found) {
            if (found != nullptr && found->ok() && found->value()) {
                m_messages.notify(tr("Loaded the preset of %1").arg(textOf(file.filename())));
                take(*found->value());
                return;
            }
            m_messages.showProblem(
                tr("Cannot open the preset"),
                found == nullptr || found->ok()
                    ? tr("%1 carries no preset: it was not exported by QuantScope.")
                          .arg(textOf(file.filename()))
                    : QString::fromStdString(found->error().message));
        });
}

void DraftFlow::askAndSave()
{
    askForFile(m_window,
               {.name = "savePresetDialog",
                .title = tr("Save the preset"),
                .filter = tr("Presets (*.json)"),
                .mode = QFileDialog::AnyFile,
                .suggestion = fileNameOf(m_name) + QStringLiteral(".json")},
               [this](const QString& file) { save(file); });
}

void DraftFlow::save(const QString& file)
{
    core::Preset preset = m_plan.preset();
    // A copy under a name of its own is no longer what it was made from.
    const QString name = QFileInfo(file).completeBaseName();
    const bool renamed = !name.isEmpty() && name != m_name && name != fileNameOf(m_name);
    if (renamed) {
        preset.name = name.toStdString();
        preset.description.clear();
    }
    const core::Status status =
        core::writeFileAtomically(pathOf(file), core::jsonText(core::toJson(preset), 2) + "\n");
    if (!status.ok()) {
        m_messages.showProblem(tr("Cannot write the file"),
                               QString::fromStdString(status.error().message));
        return;
    }
    if (renamed)
        show(preset, pathOf(file));
    m_messages.notify(tr("Saved %1").arg(file));
    m_origin = {m_plan.draft().source(), kept(preset)};
    m_settings.setDraftSource(file);
    markModified();
    m_settings.addRecentPreset(file);
    Q_EMIT recentChanged();
}

void DraftFlow::browse()
{
    using widgets::PresetBrowser;
    auto* browser =
        new PresetBrowser({m_presets, m_settings.presetFolder(), m_settings.recentPresets()},
                          m_plan.preset(), &m_window);
    connect(browser, &PresetBrowser::presetChosen, this,
            [this](const QString& file) { open(pathOf(file)); });
    connect(browser, &PresetBrowser::openFileRequested, this, &DraftFlow::askAndOpen);
    connect(browser, &PresetBrowser::ownPresetsChanged, this, &DraftFlow::listPresets);
    browser->show();
}

}  // namespace qs::app

#include "moc_draft_flow.cpp"
