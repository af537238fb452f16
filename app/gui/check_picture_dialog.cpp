#include "app/gui/check_picture_dialog.h"

#include "app/gui/status_strip.h"
#include "core/base/npy.h"
#include "core/record/run_folder.h"
#include "core/report/words/evidence_text.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/note_text.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/plan.h"
#include "widgets/models/number_text.h"
#include "widgets/models/phase_text.h"
#include "widgets/plan/preset_edit.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPixmap>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace qs::app {

namespace {

constexpr int kShownPixels = 320;

// With the minus of the text around it, not a hyphen.
QString signedText(double value)
{
    return widgets::significantText(value, 4).replace(QLatin1Char('-'), QChar(0x2212));
}

}  // namespace

core::Preset onePicturePreset(const core::Preset& draft)
{
    core::Preset preset;
    preset.name = "One image";
    preset.defaults = draft.defaults;
    // A text that no member can have stays in the draft, where it is said.
    for (const char* axis : {"model", "device", "image_size"}) {
        const QString first = widgets::axisValues(draft, axis).value(0);
        static_cast<void>(core::setMember(preset.defaults, axis, first.toStdString()).ok());
    }
    preset.defaults.precision = {"bf16"};
    preset.defaults.layers = "all";
    preset.defaults.compile = "none";
    preset.defaults.attention = "auto";
    preset.defaults.batch = 1;
    preset.rounds = 1;
    preset.noiseFloor = false;
    preset.pictures = draft.pictures;
    preset.pictures.count = 1;
    preset.measurement.minimumWarmupSeconds = 0.0;
    preset.measurement.maximumWarmupSeconds = 0.1;
    preset.measurement.minimumSampleSeconds = 0.0;
    preset.measurement.maximumSampleSeconds = 0.1;
    preset.measurement.minimumSamples = 1;
    preset.measurement.maximumSamples = 1;
    return preset;
}

CheckPictureDialog::CheckPictureDialog(core::ProgramPaths paths, const core::Preset& draft,
                                       std::vector<core::DeviceDescription> devices,
                                       QWidget* parent)
    : QDialog(parent),
      m_paths(std::move(paths)),
      m_folder(core::TemporaryFolder::create("quantscope-check-"))
{
    setObjectName(QStringLiteral("checkPictureDialog"));
    setWindowTitle(tr("Try one image"));
    build();
    m_controller = std::make_unique<RunController>(m_paths, m_store);
    connect(m_controller.get(), &RunController::progressChanged, this,
            [this](const core::RunProgress& progress) {
                m_progress->setFormat(widgets::phaseActivity(progress.phase));
            });
    connect(m_controller.get(), &RunController::runFinished, this, &CheckPictureDialog::runEnded);
    if (m_folder.ok())
        makePlan(draft, std::move(devices));
    else
        showProblem(QString::fromStdString(m_folder.error().message));
}

CheckPictureDialog::~CheckPictureDialog()
{
    // The worker writes into the folder until it has ended.
    m_controller.reset();
}

std::filesystem::path CheckPictureDialog::runFolder() const
{
    return m_folder.value().path() / "run";
}

void CheckPictureDialog::build()
{
    const auto label = [&](const char* name) {
        auto* made = new QLabel(this);
        made->setObjectName(QString::fromLatin1(name));
        made->setTextFormat(Qt::PlainText);
        made->setWordWrap(true);
        return made;
    };
    m_about = label("checkAbout");
    m_input = label("checkInput");
    m_output = label("checkOutput");
    m_findings = label("checkFindings");
    m_findings->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (QLabel* picture : {m_input, m_output}) {
        picture->setMinimumSize(kShownPixels, kShownPixels);
        picture->setAlignment(Qt::AlignCenter);
        picture->setFrameShape(QFrame::StyledPanel);
    }
    m_input->setAccessibleName(tr("Input"));
    m_output->setAccessibleName(tr("Output"));
    m_progress = new QProgressBar(this);
    m_progress->setObjectName(QStringLiteral("checkProgress"));
    m_progress->setRange(0, 0);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QGridLayout(this);
    layout->addWidget(m_about, 0, 0, 1, 2);
    layout->addWidget(new QLabel(tr("Input"), this), 1, 0);
    layout->addWidget(new QLabel(tr("Output"), this), 1, 1);
    layout->addWidget(m_input, 2, 0);
    layout->addWidget(m_output, 2, 1);
    layout->addWidget(m_findings, 3, 0, 1, 2);
    layout->addWidget(m_progress, 4, 0, 1, 2);
    layout->addWidget(buttons, 5, 0, 1, 2);
}

void CheckPictureDialog::makePlan(const core::Preset& draft,
                                  std::vector<core::DeviceDescription> devices)
{
    const core::Preset preset = onePicturePreset(draft);
    m_about->setText(tr("%1 · %2 pixels · %3")
                         .arg(QString::fromStdString(preset.defaults.model))
                         .arg(preset.defaults.imageSize())
                         .arg(QString::fromStdString(preset.defaults.device)));
    m_progress->setFormat(tr("loading the model"));
    core::PlanOptions options;
    options.devices = std::move(devices);
    options.resourceFolder = m_paths.resources;
    connect(&m_planner, &widgets::Planner::planned, this, &CheckPictureDialog::start);
    m_planner.request(preset, options);
}

void CheckPictureDialog::start(const widgets::Planner::Answer& plan)
{
    if (!plan->ok()) {
        showProblem(QString::fromStdString(plan->error().message));
        return;
    }
    const auto& cells = plan->value().cells;
    const auto impossible =
        std::find_if(cells.begin(), cells.end(), [](const auto& cell) { return !cell.possible(); });
    if (impossible != cells.end())
        showProblem(QString::fromStdString(core::noteText(*impossible->impossible)));
    else
        m_controller->start(plan->value(), runFolder());
}

void CheckPictureDialog::runEnded(const QString& error)
{
    const auto& rows = m_store.data().measurements;
    if (!error.isEmpty())
        showProblem(error);
    else if (rows.empty())
        showProblem(tr("Not run."));
    else if (!rows.front().ok())
        showProblem(
            tr("%1: %2").arg(QString::fromStdString(std::string(core::name(rows.front().status()))),
                             QString::fromStdString(core::failureText(*rows.front().failure))));
    else
        showOutput(rows.front());
}

void CheckPictureDialog::showOutput(const core::Measurement& row)
{
    showPicture(m_input, core::inputPicture(runFolder(), row.config.imageSize(), 0).path());
    showPicture(m_output, core::outputPicture(runFolder(), row.cellId, 0).path());
    m_findings->setText(findings(row));
    m_progress->hide();
    m_busy = false;
}

void CheckPictureDialog::showProblem(const QString& text)
{
    m_findings->setText(text);
    m_progress->hide();
    m_busy = false;
}

void CheckPictureDialog::showPicture(QLabel* label, const std::filesystem::path& file)
{
    const QPixmap picture(QString::fromStdString(file.string()));
    if (picture.isNull()) {
        label->setText(tr("no image"));
        return;
    }
    const qreal ratio = devicePixelRatioF();
    QPixmap scaled = picture.scaled(QSize(kShownPixels, kShownPixels) * ratio, Qt::KeepAspectRatio,
                                    Qt::SmoothTransformation);
    scaled.setDevicePixelRatio(ratio);
    label->setPixmap(scaled);
}

QString CheckPictureDialog::findings(const core::Measurement& row) const
{
    QStringList parts;
    const auto& qualities = m_store.data().qualities;
    const auto quality = std::find_if(qualities.begin(), qualities.end(), [](const auto& each) {
        return each.referenceId == core::kInputId;
    });
    if (quality == qualities.end())
        parts << tr("The weights of this model are untrained: its output is meaningless.");
    else
        parts << tr("Output vs. input: PSNR %1, SSIM %2.")
                     .arg(quality->find("psnr")
                              ? tr("%1 dB").arg(widgets::significantText(*quality->find("psnr"), 4))
                              : tr("∞ (identical)"),
                          widgets::significantText(quality->find("ssim").value_or(0.0), 4));
    const auto output = core::readNpy(core::outputArray(runFolder(), row.cellId, 0));
    if (output.ok() && !output.value().values.empty()) {
        const auto [least, most] =
            std::minmax_element(output.value().values.begin(), output.value().values.end());
        parts << tr("Values from %1 to %2; −1 is black, 1 is white.")
                     .arg(signedText(double{*least}), signedText(double{*most}));
    }
    if (!row.result.outputsFinite)
        parts << tr("Some values are not finite.");
    parts
        << tr("Executed: %1.").arg(QString::fromStdString(core::executedText(row.result.executed)));
    return parts.join(QLatin1Char(' '));
}

}  // namespace qs::app
