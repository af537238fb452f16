#include "app/gui/check_picture_dialog.h"

#include "app/gui/status_strip.h"
#include "core/base/npy.h"
#include "core/base/npy_header.h"
#include "core/model/family_registry.h"
#include "core/model/image_inputs.h"
#include "core/record/run_folder.h"
#include "core/report/words/evidence_text.h"
#include "core/report/words/failure_text.h"
#include "core/report/words/note_text.h"
#include "core/stats/ranking.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/plan.h"
#include "widgets/model/port_text.h"
#include "widgets/models/number_text.h"
#include "widgets/models/phase_text.h"
#include "widgets/plan/preset_edit.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPixmap>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace qs::app {

namespace {

constexpr int kShownPixels = 320;

QLabel* newLabel(const char* name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(QString::fromLatin1(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

// With the minus of the text around it, not a hyphen.
QString signedText(double value)
{
    return widgets::significantText(value, 4).replace(QLatin1Char('-'), QChar(0x2212));
}

// "Values from −0.98 to 1.02; −1 is black, 1 is white."
QString rangeText(const core::FloatArray& output, bool isImage)
{
    const auto [least, most] = std::minmax_element(output.values.begin(), output.values.end());
    const QString text = CheckPictureDialog::tr("Values from %1 to %2")
                             .arg(signedText(double{*least}), signedText(double{*most}));
    return text +
           (isImage ? CheckPictureDialog::tr("; −1 is black, 1 is white.") : QStringLiteral("."));
}

// What is no image: "Output: scores of classes [1000]. Most likely: 7 (83 %), 12 (4.1 %)."
QString outputText(core::OutputKind kind, const core::FloatArray& output)
{
    constexpr std::size_t kShown = 5;
    QString text = CheckPictureDialog::tr("Output: %1 %2.")
                       .arg(widgets::outputKindText(kind),
                            QString::fromStdString(core::npyShapeText(output.shape)));
    const bool scores = kind == core::OutputKind::Classes || kind == core::OutputKind::Logits;
    if (!scores || output.shape.empty())
        return text;
    const auto width = static_cast<std::size_t>(output.shape.back());
    // Of texts the next token.
    const auto best = core::highestScores(
        std::span(output.values).last(std::min(width, output.values.size())), kShown);
    QStringList likeliest;
    for (const core::RankedScore& score :
         best.ok() ? best.value() : std::vector<core::RankedScore>())
        likeliest << CheckPictureDialog::tr("%1 (%2 %)")
                         .arg(score.index)
                         .arg(widgets::significantText(100.0 * score.probability, 2));
    if (!likeliest.isEmpty())
        text += QLatin1Char(' ') + (kind == core::OutputKind::Logits
                                        ? CheckPictureDialog::tr("Most likely next token: %1.")
                                        : CheckPictureDialog::tr("Most likely: %1."))
                                       .arg(likeliest.join(QStringLiteral(", ")));
    return text;
}

}  // namespace

core::Preset onePicturePreset(const core::Preset& draft, std::int64_t batch)
{
    core::Preset preset;
    preset.name = "One sample";
    preset.defaults = draft.defaults;
    // A text that no member can have stays in the draft, where it is said.
    for (const char* axis : {"model", "device"}) {
        const QString first = widgets::axisValues(draft, axis).value(0);
        static_cast<void>(core::setMember(preset.defaults, axis, first.toStdString()).ok());
    }
    preset.defaults.sizes = widgets::firstSizes(draft);
    preset.defaults.precision = {"bf16"};
    preset.defaults.layers = "all";
    preset.defaults.compile = "none";
    preset.defaults.attention = "auto";
    preset.defaults.batch = batch;
    preset.rounds = 1;
    preset.noiseFloor = false;
    preset.pictures = draft.pictures;
    preset.pictures.count = 1;
    preset.feeding = draft.feeding;
    preset.calibration = draft.calibration;
    preset.measurement.minimumWarmupSeconds = 0.0;
    preset.measurement.maximumWarmupSeconds = 0.1;
    preset.measurement.minimumSampleSeconds = 0.0;
    preset.measurement.maximumSampleSeconds = 0.1;
    preset.measurement.minimumSamples = 1;
    preset.measurement.maximumSamples = 1;
    return preset;
}

core::Result<core::Plan> onePicturePlan(const core::Preset& draft, const core::PlanOptions& options)
{
    std::set<std::int64_t> others;
    for (const QString& batch : widgets::axisValues(draft, "batch")) {
        if (batch.toLongLong() > 1)
            others.insert(batch.toLongLong());
    }
    const auto runs = [](const core::Result<core::Plan>& plan) {
        return plan.ok() && std::all_of(plan.value().cells.begin(), plan.value().cells.end(),
                                        [](const auto& cell) { return cell.possible(); });
    };
    core::Result<core::Plan> plan = core::makePlan(onePicturePreset(draft, 1), options);
    for (auto batch = others.begin(); plan.ok() && !runs(plan) && batch != others.end(); ++batch) {
        core::Result<core::Plan> other = core::makePlan(onePicturePreset(draft, *batch), options);
        if (runs(other))
            plan = std::move(other);
    }
    return plan;
}

CheckPictureDialog::CheckPictureDialog(core::ProgramPaths paths, const core::Preset& draft,
                                       bool images, std::vector<core::DeviceDescription> devices,
                                       QWidget* parent)
    : QDialog(parent),
      m_paths(std::move(paths)),
      m_folder(core::TemporaryFolder::create("quantscope-check-")),
      m_planner(onePicturePlan)
{
    setObjectName(QStringLiteral("checkPictureDialog"));
    setWindowTitle(tr("Try one sample"));
    build();
    m_pictures->setVisible(images);
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

QWidget* CheckPictureDialog::buildPictures()
{
    auto* part = new QWidget(this);
    m_input = newLabel("checkInput", part);
    m_output = newLabel("checkOutput", part);
    m_input->setAccessibleName(tr("Input"));
    m_output->setAccessibleName(tr("Output"));
    for (QLabel* picture : {m_input, m_output}) {
        picture->setMinimumSize(kShownPixels, kShownPixels);
        picture->setAlignment(Qt::AlignCenter);
        picture->setFrameShape(QFrame::StyledPanel);
    }
    auto* layout = new QGridLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(new QLabel(tr("Input"), part), 0, 0);
    layout->addWidget(new QLabel(tr("Output"), part), 0, 1);
    layout->addWidget(m_input, 1, 0);
    layout->addWidget(m_output, 1, 1);
    layout->setRowStretch(1, 1);
    return part;
}

void CheckPictureDialog::build()
{
    m_about = newLabel("checkAbout", this);
    m_pictures = buildPictures();
    m_findings = newLabel("checkFindings", this);
    m_findings->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    // Also without pictures there is room for a sentence.
    m_findings->setMinimumWidth(2 * kShownPixels);
    m_progress = new QProgressBar(this);
    m_progress->setObjectName(QStringLiteral("checkProgress"));
    m_progress->setRange(0, 0);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_about);
    layout->addWidget(m_pictures, 1);
    layout->addWidget(m_findings);
    layout->addWidget(m_progress);
    layout->addWidget(buttons);
}

void CheckPictureDialog::makePlan(const core::Preset& draft,
                                  std::vector<core::DeviceDescription> devices)
{
    m_about->setText(widgets::axisValues(draft, "model").value(0));
    m_progress->setFormat(tr("loading the model"));
    core::PlanOptions options;
    options.devices = std::move(devices);
    options.resourceFolder = m_paths.resources;
    connect(&m_planner, &widgets::Planner::planned, this, &CheckPictureDialog::start);
    m_planner.request(draft, options);
}

void CheckPictureDialog::start(const widgets::Planner::Answer& plan)
{
    if (!plan->ok()) {
        showProblem(QString::fromStdString(plan->error().message));
        return;
    }
    const auto& cells = plan->value().cells;
    // With the sizes that the model has.
    if (!cells.empty())
        m_about->setText(
            tr("%1 · %2 · %3")
                .arg(QString::fromStdString(cells.front().config.model),
                     QString::fromStdString(core::sizesText(cells.front().config.sizes)),
                     QString::fromStdString(cells.front().config.device)));
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
    // Of the input what the model took.
    showPicture(m_input, core::inputPicture(runFolder(), row.config.imageSize(), 0).path(),
                core::middlePartOf(row.config.sizes));
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

void CheckPictureDialog::showPicture(QLabel* label, const std::filesystem::path& file,
                                     const core::MiddlePart& part)
{
    QPixmap picture(QString::fromStdString(file.string()));
    if (picture.isNull()) {
        label->setText(tr("no image"));
        return;
    }
    const core::MiddlePart taken = part.of(picture.height(), picture.width());
    QRect middle(0, 0, static_cast<int>(taken.columns), static_cast<int>(taken.rows));
    middle.moveTo((picture.width() - middle.width()) / 2, (picture.height() - middle.height()) / 2);
    picture = picture.copy(middle);
    const qreal ratio = devicePixelRatioF();
    QPixmap scaled = picture.scaled(QSize(kShownPixels, kShownPixels) * ratio, Qt::KeepAspectRatio,
                                    Qt::SmoothTransformation);
    scaled.setDevicePixelRatio(ratio);
    label->setPixmap(scaled);
}

QString CheckPictureDialog::findings(const core::Measurement& row) const
{
    const core::PlannedCell* cell = m_store.data().plan.find(row.cellId);
    const bool isImage = cell != nullptr && cell->output == core::OutputKind::Image;
    QStringList parts;
    if (cell != nullptr && !cell->trained)
        parts << tr("The weights of this model are untrained: its output is meaningless.");
    if (isImage)
        parts << comparison();
    const auto output = core::readNpy(core::outputArray(runFolder(), row.cellId, 0));
    if (cell != nullptr && output.ok() && !output.value().values.empty())
        parts << (isImage ? QString() : outputText(cell->output, output.value()))
              << rangeText(output.value(), isImage);
    if (!row.result.outputsFinite)
        parts << tr("Some values are not finite.");
    parts
        << tr("Executed: %1.").arg(QString::fromStdString(core::executedText(row.result.executed)));
    parts.removeAll(QString());
    return parts.join(QLatin1Char(' '));
}

// Of models that give back what goes in.
QString CheckPictureDialog::comparison() const
{
    const auto& qualities = m_store.data().qualities;
    const auto quality = std::find_if(qualities.begin(), qualities.end(), [](const auto& each) {
        return each.referenceId == core::kInputId;
    });
    if (quality == qualities.end())
        return {};
    return tr("Output vs. input: PSNR %1, SSIM %2.")
        .arg(quality->find("psnr")
                 ? tr("%1 dB").arg(widgets::significantText(*quality->find("psnr"), 4))
                 : tr("∞ (identical)"),
             widgets::significantText(quality->find("ssim").value_or(0.0), 4));
}

}  // namespace qs::app

#include "moc_check_picture_dialog.cpp"
