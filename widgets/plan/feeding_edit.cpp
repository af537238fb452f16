#include "widgets/plan/feeding_edit.h"

#include "widgets/model/port_text.h"
#include "widgets/plan/editor_filter.h"
#include "widgets/plan/feeding_text.h"
#include "widgets/plan/input_feed_edit.h"
#include "widgets/plan/judged_output_edit.h"
#include "widgets/plan/message_line.h"
#include "widgets/plan/path_edit.h"
#include "widgets/plan/preset_edit.h"
#include "widgets/plan/stage_cut_edit.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kRowGap = 6;  // pixels

QString firstLine(const core::Error& error)
{
    return QString::fromStdString(error.message).section(QLatin1Char('\n'), 0, 0);
}

// Editors of stages and sizes, and views of the layers, would show the same.
bool looksAlike(const core::ModelFamily& a, const core::ModelFamily& b)
{
    return std::equal(a.stages().begin(), a.stages().end(), b.stages().begin(), b.stages().end(),
                      [](const auto& x, const auto& y) { return x.name == y.name; }) &&
           std::equal(a.workload().sizes.begin(), a.workload().sizes.end(),
                      b.workload().sizes.begin(), b.workload().sizes.end(),
                      [](const auto& x, const auto& y) { return x.name == y.name; });
}

}  // namespace

FeedingEdit::FeedingEdit(QWidget* parent)
    : QWidget(parent),
      m_rowLayout(new QVBoxLayout),
      m_form(new QFormLayout),
      m_weights(new QComboBox(this)),
      m_output(new JudgedOutputEdit(this)),
      m_labels(new PathEdit(QStringLiteral("labelsFile"), tr("Labels"), tr("Text (*.txt)"), this)),
      m_labelsMessage(newMessageLine(QStringLiteral("labelsMessage"), this)),
      m_stages(new StageCutEdit(this))
{
    setObjectName(QStringLiteral("feedingEdit"));
    buildWeights();
    build();
    connectParts();
    showFeeding();
}

void FeedingEdit::build()
{
    m_rowLayout->setSpacing(kRowGap);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setVerticalSpacing(2);
    m_form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    m_form->addRow(tr("Weights"), m_weights);
    m_form->addRow(m_output);
    m_form->addRow(tr("Labels"), m_labels);
    m_labels->line()->setToolTip(
        tr("A file with the class of each sample, a whole number from 0 a line: trained embeddings "
           "then have a k-NN accuracy, classes an accuracy"));
    m_form->addRow(m_labelsMessage);
    m_form->addRow(tr("Stages"), m_stages);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowGap);
    layout->addLayout(m_rowLayout);
    layout->addLayout(m_form);
}

void FeedingEdit::buildWeights()
{
    m_weights->setObjectName(QStringLiteral("weightsBox"));
    m_weights->setAccessibleName(tr("Weights are"));
    m_weights->addItem(tr("Not said"));
    m_weights->addItem(tr("Trained"), true);
    m_weights->addItem(tr("Untrained"), false);
    m_weights->setToolTip(tr("Whether the weights are trained. Quality is judged only with trained "
                             "weights on images, files or text"));
}

void FeedingEdit::connectParts()
{
    connect(m_weights, &QComboBox::activated, this, [this] {
        const QVariant trained = m_weights->currentData();
        m_request.feeding.trained =
            trained.isValid() ? std::optional(trained.toBool()) : std::nullopt;
        edit(false);
    });
    connect(m_output, &JudgedOutputEdit::outputEdited, this, [this](const std::string& judged) {
        m_request.feeding.judged = judged;
        edit(false);
    });
    connect(m_output, &JudgedOutputEdit::kindEdited, this,
            [this](const std::optional<core::OutputKind>& kind) {
                m_request.feeding.outputKind = kind;
                edit(false);
            });
    connect(m_labels, &PathEdit::edited, this, [this](bool typing) {
        m_request.feeding.labels = m_labels->path().toStdString();
        edit(typing);
    });
    connect(m_stages, &StageCutEdit::stagesEdited, this,
            [this](const std::vector<core::StageCut>& stages) {
                m_request.feeding.stages = stages;
                edit(false);
            });
}

const core::ModelFamily* FeedingEdit::family() const
{
    return m_request.inspection == nullptr ? nullptr : m_request.inspection->family.get();
}

void FeedingEdit::setInspection(const Inspection& inspection)
{
    m_request.inspection = inspection;
    m_answer.reset();
    m_fed.reset();
    // Nobody has to wait where nothing can be another.
    if (family() == nullptr || m_request.feeding.empty()) {
        m_fed = inspection;
        Q_EMIT fed(inspection);
    }
    showRows();
    showFeeding();
    check();
    Q_EMIT changed();
}

void FeedingEdit::showPreset(const core::Preset& preset)
{
    m_request.sizes = firstSizes(preset);
    m_request.images = preset.pictures.count;
    if (!(preset.feeding == m_request.feeding)) {
        m_request.feeding = preset.feeding;
        showRows();
        showFeeding();
    }
    check();
    Q_EMIT changed();
}

FeedingEdit::Answer FeedingEdit::answerTo(const Request& request)
{
    const auto& family = request.inspection->family;
    Checked checked{
        core::checkFeeding(family, request.feeding, request.sizes, request.images), {}, {}};
    if (request.givesImages && request.feeding.empty())
        checked.imageInput = core::onlyImageInput(family);
    if (auto ports = core::portsNear(*family, request.sizes); ports.ok())
        checked.ports = std::move(ports).value();
    return std::make_shared<const Checked>(std::move(checked));
}

void FeedingEdit::check()
{
    if (m_asked == m_request)
        return;
    m_asked = m_request;
    if (family() == nullptr || !isNeeded()) {
        m_task.drop();
        m_answer.reset();
        showObjections();
        return;
    }
    m_task.start(
        this, [request = m_request](const auto&) { return answerTo(request); },
        [this, request = m_request](const Answer& answer) { receive(request, answer); });
}

void FeedingEdit::receive(const Request& request, const Answer& answer)
{
    m_answer = answer;
    showTypes();
    showWhatApplies();
    showObjections();
    if (answer != nullptr) {
        const core::Workload& workload = answer->check.family->workload();
        if (!request.feeding.outputKind && !workload.outputs.empty())
            m_output->showRecognised(workload.judgedOutput().kind);
        tellFed(request, answer->check);
    }
    Q_EMIT changed();
    feedGivenImages();
}

void FeedingEdit::giveImages()
{
    m_request.givesImages = true;
    check();
    Q_EMIT changed();
}

void FeedingEdit::feedGivenImages()
{
    if (!m_request.givesImages || m_answer == nullptr || !m_answer->imageInput || !isUnanswered())
        return;
    m_request.givesImages = false;
    m_request.feeding.inputs.insert(*m_answer->imageInput);
    // As of any other checkpoint that is opened with images.
    m_request.feeding.trained = true;
    showFeeding();
    edit(false);
}

// While a person types numbers nothing of it changes, and the layers are not listed anew.
void FeedingEdit::tellFed(const Request& request, const core::FeedingCheck& check)
{
    if (m_fed != nullptr && m_fed->family != nullptr && looksAlike(*m_fed->family, *check.family))
        return;
    core::ModelInspection inspection = *request.inspection;
    inspection.family = check.family;
    m_fed = std::make_shared<const core::ModelInspection>(std::move(inspection));
    Q_EMIT fed(m_fed);
}

void FeedingEdit::edit(bool typing)
{
    Q_EMIT feedingEdited(m_request.feeding, typing);
    check();
    Q_EMIT changed();
}

void FeedingEdit::editInput(const InputFeedEdit& row, bool typing)
{
    if (row.feed())
        m_request.feeding.inputs.insert_or_assign(row.input(), *row.feed());
    else
        m_request.feeding.inputs.erase(row.input());
    edit(typing);
}

void FeedingEdit::showRows()
{
    // A family that takes images fills in the rest by itself.
    const bool open = family() != nullptr && isNeeded() && !family()->workload().takesImages();
    const std::vector<std::string> inputs =
        namedInputs(open ? family()->workload().inputs : std::vector<core::InputSpec>(),
                    m_request.feeding.inputs);
    if (keepRows(m_rows, inputs, *this))
        return;
    for (const std::string& input : inputs) {
        auto* row = new InputFeedEdit(input, this);
        new EditorFilter(*row);
        connect(row, &InputFeedEdit::feedEdited, this,
                [this, row](bool typing) { editInput(*row, typing); });
        connect(row, &InputFeedEdit::problemChanged, this, &FeedingEdit::changed);
        m_rowLayout->addWidget(row);
        m_rows << row;
    }
}

void FeedingEdit::showFeeding()
{
    const core::ModelFeeding& feeding = m_request.feeding;
    for (InputFeedEdit* row : m_rows) {
        row->setTokenizer(m_request.inspection == nullptr
                              ? std::string()
                              : m_request.inspection->tokenizer.string());
        const auto found = feeding.inputs.find(row->input());
        row->setFeed(found == feeding.inputs.end() ? std::nullopt : std::optional(found->second));
    }
    m_weights->setCurrentIndex(feeding.trained ? m_weights->findData(*feeding.trained) : 0);
    m_output->showKind(feeding.outputKind);
    if (m_labels->path().toStdString() != feeding.labels)
        m_labels->setPath(QString::fromStdString(feeding.labels));
    m_stages->setStages(feeding.stages);
    showTypes();
    showWhatApplies();
    showObjections();
}

void FeedingEdit::showTypes()
{
    for (InputFeedEdit* row : m_rows) {
        const core::TensorType* type =
            m_answer == nullptr ? nullptr : core::typeIn(m_answer->ports.inputs, row->input());
        if (type == nullptr || family() == nullptr)
            continue;
        const core::InputSpec* spec = family()->workload().findInput(row->input());
        const bool last = type->shape.size() == 4 && type->shape[3] == 3 && type->shape[1] != 3;
        if (spec != nullptr)
            row->setType(inputTypeText(*type, *spec), *spec, last);
    }
    const core::ModelPorts ports = m_answer == nullptr ? core::ModelPorts() : m_answer->ports;
    m_output->showOutputs(family() == nullptr ? nullptr : &family()->workload(), ports.outputs,
                          m_request.feeding.judged);
    m_stages->setModules(ports.modules);
}

// Weights that are generated need no answer, and stages of the model's own no others.
void FeedingEdit::showWhatApplies()
{
    const core::ModelFeeding& feeding = m_request.feeding;
    const bool known = family() != nullptr;
    m_form->setRowVisible(m_weights, feeding.trained || (known && m_request.inspection->trained));
    m_form->setRowVisible(m_output, known || !feeding.judged.empty() || feeding.outputKind);
    const bool labelled = !feeding.labels.empty() || canBeRight();
    m_form->setRowVisible(m_labels, labelled);
    m_form->setRowVisible(m_labelsMessage, labelled);
    m_form->setRowVisible(m_stages,
                          !feeding.stages.empty() || (known && family()->stages().size() == 1));
}

bool FeedingEdit::canBeRight() const
{
    if (family() == nullptr || !m_request.inspection->trained)
        return false;
    const bool asFed = m_answer != nullptr && m_answer->check.family != nullptr;
    const core::Workload& workload = (asFed ? *m_answer->check.family : *family()).workload();
    std::optional<core::OutputKind> kind = m_request.feeding.outputKind;
    if (!kind && !workload.outputs.empty())
        kind = workload.judgedOutput().kind;
    return kind == core::OutputKind::Classes || kind == core::OutputKind::Embedding;
}

void FeedingEdit::showObjections()
{
    const core::FeedingCheck* check =
        m_answer == nullptr || family() == nullptr ? nullptr : &m_answer->check;
    for (InputFeedEdit* row : m_rows) {
        const bool wrong = check != nullptr && check->inputs.contains(row->input());
        row->setObjection(wrong ? firstLine(check->inputs.at(row->input())) : QString());
    }
    const auto textOf = [&](const std::optional<core::Error> core::FeedingCheck::*part) {
        return check != nullptr && check->*part ? firstLine(*(check->*part)) : QString();
    };
    m_output->setObjection(textOf(&core::FeedingCheck::output));
    showMessage(*m_labelsMessage, textOf(&core::FeedingCheck::labels));
    m_stages->setObjection(textOf(&core::FeedingCheck::stages));
}

bool FeedingEdit::isNeeded() const
{
    return !m_request.feeding.empty() ||
           (family() != nullptr && m_request.inspection->usable() &&
            !family()->workload().takesImages() && !family()->workload().inputs.empty());
}

bool FeedingEdit::isUnanswered() const
{
    return isNeeded() && m_request.feeding.empty() && m_request.inspection->trained;
}

bool FeedingEdit::takesImages() const
{
    const auto& fed = m_request.feeding.inputs;
    return family() == nullptr || family()->workload().takesImages() ||
           std::any_of(fed.begin(), fed.end(), [](const auto& each) {
               return std::holds_alternative<core::ImageFeed>(each.second);
           });
}

QString FeedingEdit::problem() const
{
    for (const InputFeedEdit* row : m_rows) {
        if (!row->problem().isEmpty())
            return tr("Input %1: %2").arg(QString::fromStdString(row->input()), row->problem());
    }
    if (m_answer == nullptr || family() == nullptr)
        return {};
    const core::Status status = m_answer->check.status();
    return status.ok() ? QString() : firstLine(status.error());
}

QString FeedingEdit::summary() const
{
    const QString wrong = problem();
    return wrong.isEmpty() ? feedingText(m_request.feeding, family()) : wrong;
}

}  // namespace qs::widgets

#include "moc_feeding_edit.cpp"
