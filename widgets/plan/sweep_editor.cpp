#include "widgets/plan/sweep_editor.h"

#include "widgets/models/number_text.h"
#include "widgets/plan/choice_list.h"
#include "widgets/plan/combination_edit.h"
#include "widgets/plan/conduct_edit.h"
#include "widgets/plan/fold_section.h"
#include "widgets/plan/gate_edit.h"
#include "widgets/plan/layer_scope_edit.h"
#include "widgets/plan/precision_edit.h"
#include "widgets/plan/preset_edit.h"
#include "widgets/plan/range_edit.h"
#include "widgets/plan/size_edits.h"
#include "widgets/plan/sweep_choices.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace qs::widgets {

namespace {

ReasonTexts::mapped_type of(const ReasonTexts& reasons, const char* axis)
{
    const auto found = reasons.find(axis);
    return found == reasons.end() ? ReasonTexts::mapped_type{} : found->second;
}

}  // namespace

SweepEditor::SweepEditor(QWidget* parent) : QWidget(parent)
{
    build();
    connectEditors();
}

void SweepEditor::build()
{
    m_precision = new PrecisionEdit(this);
    m_compile = new ChoiceList(compileChoices(), this, otherCompileChoice);
    m_compile->setObjectName(QStringLiteral("compileList"));
    m_batch = new RangeEdit("batch", this);
    m_batch->setObjectName(QStringLiteral("batchEdit"));
    m_batch->lineEdit()->setAccessibleName(tr("Batch sizes"));
    m_sizes = new SizeEdits(SizeUse::Usual, this);

    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    // Long words wrap under their label in a narrow panel instead of being cut.
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(2);
    form->addRow(tr("Pre&cision"), m_precision);
    form->addRow(tr("C&ompile mode"), m_compile);
    form->addRow(tr("&Batch sizes"), m_batch);
    form->addRow(m_sizes);
    m_combination = new CombinationEdit(this);
    m_gates = new GateEdit(this);
    m_more = addSection(tr("More axes"), "moreSection", buildMore());
    m_combinationSection = addSection(tr("Combine"), "combinationSection", m_combination);
    m_conductSection = addSection(tr("Measure"), "conductSection", buildConduct());
    m_gatesSection = addSection(tr("Gates"), "gatesSection", m_gates);
}

FoldSection* SweepEditor::addSection(const QString& title, const char* name, QWidget* content)
{
    auto* section = new FoldSection(title, content, this);
    section->setObjectName(QString::fromLatin1(name));
    qobject_cast<QFormLayout*>(layout())->addRow(section);
    return section;
}

QWidget* SweepEditor::buildConduct()
{
    auto* part = new QWidget(this);
    auto* form = new QFormLayout(part);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(2);
    form->addRow(tr("Repea&ts"), buildRounds(part));
    m_conduct = new ConductEdit(part);
    form->addRow(m_conduct);
    return part;
}

QWidget* SweepEditor::buildRounds(QWidget* parent)
{
    auto* part = new QWidget(parent);
    m_rounds = new QSpinBox(part);
    m_rounds->setObjectName(QStringLiteral("roundsBox"));
    m_rounds->setRange(1, kUsualRounds);
    m_rounds->setAccessibleName(tr("Repeats"));
    m_rounds->setToolTip(tr("Number of measurements of each cell, each in a new process and a new "
                            "random order. Intervals need three"));
    m_noiseFloor = new QCheckBox(tr("Noise-floor runs"), part);
    m_noiseFloor->setObjectName(QStringLiteral("noiseFloorBox"));
    m_noiseFloor->setToolTip(
        tr("Also run fp32, bf16 again and, on a GPU, bf16 as a CUDA graph: the same mathematics, "
           "so their distance shows which differences are significant"));
    part->setFocusProxy(m_rounds);
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_rounds);
    row->addWidget(m_noiseFloor);
    row->addStretch(1);
    return part;
}

QWidget* SweepEditor::buildMore()
{
    auto* part = new QWidget(this);
    m_layers = new LayerScopeEdit(part);
    m_attention = new ChoiceList(attentionChoices(), part);
    m_attention->setObjectName(QStringLiteral("attentionList"));
    m_inputs = new ChoiceList(inputChoices(), part);
    m_inputs->setObjectName(QStringLiteral("inputsList"));
    m_moreSizes = new SizeEdits(SizeUse::OnRequest, part);
    m_seed = new RangeEdit("seed", part);
    m_seed->setObjectName(QStringLiteral("seedEdit"));
    m_seed->lineEdit()->setAccessibleName(tr("Seeds"));
    m_seed->lineEdit()->setToolTip(
        tr("Seeds of generated weights and inputs. Several seeds show how much a result depends on "
           "them. Numbers from 0 and ranges: \"42, 43\", \"1..5\""));
    auto* form = new QFormLayout(part);
    form->setContentsMargins(0, 0, 0, 0);
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(2);
    form->addRow(tr("Quantized &layers"), m_layers);
    form->addRow(tr("&Attention kernel"), m_attention);
    form->addRow(tr("Input placement"), m_inputs);
    form->addRow(m_moreSizes);
    form->addRow(tr("Seeds"), m_seed);
    return part;
}

void SweepEditor::connectEditors()
{
    connect(m_precision, &PrecisionEdit::valuesEdited, this,
            [this](const QStringList& values, const QString& what, bool typing) {
                edit("precision", values, what, typing);
            });
    connect(m_compile, &ChoiceList::valuesEdited, this,
            [this](const QStringList& values) { edit("compile", values, tr("compile mode")); });
    connect(m_layers, &LayerScopeEdit::valuesEdited, this,
            [this](const QStringList& values) { edit("layers", values, tr("layers")); });
    connect(m_attention, &ChoiceList::valuesEdited, this, [this](const QStringList& values) {
        edit("attention", values, tr("attention kernel"));
    });
    connect(m_inputs, &ChoiceList::valuesEdited, this,
            [this](const QStringList& values) { edit("inputs", values, tr("input placement")); });
    connect(m_batch, &RangeEdit::valuesEdited, this,
            [this](const QStringList& values) { edit("batch", values, tr("batch sizes"), true); });
    for (const SizeEdits* sizes : {m_sizes, m_moreSizes}) {
        connect(sizes, &SizeEdits::valuesEdited, this,
                [this](const QString& axis, const QStringList& values, const QString& title) {
                    edit(axis.toStdString(), values, title, true);
                });
        connect(sizes, &SizeEdits::validityChanged, this, &SweepEditor::validityChanged);
    }
    connect(m_seed, &RangeEdit::valuesEdited, this,
            [this](const QStringList& values) { edit("seed", values, tr("seeds"), true); });
    for (const RangeEdit* range : {m_batch, m_seed})
        connect(range, &RangeEdit::validityChanged, this, &SweepEditor::validityChanged);
    connect(m_rounds, &QSpinBox::valueChanged, this, [this](int rounds) {
        m_preset.rounds = rounds;
        tell(tr("repeats"), true);
    });
    connect(m_noiseFloor, &QCheckBox::toggled, this, [this](bool wanted) {
        m_preset.noiseFloor = wanted;
        tell(tr("noise-floor runs"));
    });
    connectCombination();
    connectConduct();
}

void SweepEditor::connectCombination()
{
    connect(m_combination, &CombinationEdit::modeEdited, this, [this](core::SweepMode mode) {
        m_preset.mode = mode;
        tell(tr("combination of axes"));
    });
    connect(m_combination, &CombinationEdit::appendDefaultEdited, this, [this](bool append) {
        m_preset.appendDefault = append;
        tell(tr("default cell"));
    });
    connect(m_combination, &CombinationEdit::linkedEdited, this,
            [this](const std::vector<core::LinkedAxes>& linked) {
                m_preset.linked = linked;
                tell(tr("linked axes"));
            });
    connect(m_combination, &CombinationEdit::exclusionsEdited, this,
            [this](const std::vector<core::Exclusion>& exclusions) {
                m_preset.exclusions = exclusions;
                tell(tr("excluded cells"));
            });
}

void SweepEditor::connectConduct()
{
    connect(m_conduct, &ConductEdit::isolationEdited, this, [this](core::Isolation isolation) {
        m_preset.isolation = isolation;
        tell(tr("isolation"));
    });
    connect(m_conduct, &ConductEdit::orderSeedEdited, this, [this](qint64 seed) {
        m_preset.orderSeed = seed;
        tell(tr("order of cells"), true);
    });
    connect(m_conduct, &ConductEdit::measurementEdited, this,
            [this](const core::MeasurementSettings& settings) {
                m_preset.measurement = settings;
                tell(tr("measurement"), true);
            });
    connect(m_conduct, &ConductEdit::priceEdited, this, [this](const core::Price& price) {
        m_preset.price = price;
        tell(tr("price"), true);
    });
    connect(m_gates, &GateEdit::gatesEdited, this, [this](const std::vector<core::Gate>& gates) {
        m_preset.gates = gates;
        tell(tr("gates"));
    });
    connect(m_conduct, &ConductEdit::problemChanged, this, [this] {
        showSummaries();
        Q_EMIT validityChanged();
    });
}

void SweepEditor::tell(const QString& what, bool typing)
{
    showSummaries();
    Q_EMIT edited(m_preset, what, typing);
}

void SweepEditor::setPreset(const core::Preset& preset)
{
    m_preset = preset;
    m_precision->setValues(axisValues(preset, "precision"));
    m_compile->setValues(axisValues(preset, "compile"));
    m_batch->setValues(axisValues(preset, "batch"));
    m_sizes->setPreset(preset);
    m_moreSizes->setPreset(preset);
    m_layers->setValues(axisValues(preset, "layers"));
    m_attention->setValues(axisValues(preset, "attention"));
    m_inputs->setValues(axisValues(preset, "inputs"));
    const QSignalBlocker noRounds(m_rounds);
    const QSignalBlocker noNoise(m_noiseFloor);
    // Presets may ask for more than the window offers; nothing is cut unless a person changes it.
    m_rounds->setMaximum(std::max(kUsualRounds, preset.rounds));
    m_rounds->setValue(preset.rounds);
    m_noiseFloor->setChecked(preset.noiseFloor);
    m_seed->setValues(axisValues(preset, "seed"));
    m_combination->setPreset(preset);
    m_conduct->setPreset(preset);
    m_gates->setGates(preset.gates);
    showSummaries();
}

void SweepEditor::adoptPreset(const core::Preset& preset)
{
    m_preset = preset;
    m_combination->setAxes(preset);
    showSummaries();
}

void SweepEditor::showSummaries()
{
    QStringList parts{
        tr("layers %1").arg(axisValues(m_preset, "layers").join(QStringLiteral(", ")))};
    parts << tr("attention %1").arg(axisValues(m_preset, "attention").join(QStringLiteral(", ")));
    const QStringList inputs = axisValues(m_preset, "inputs");
    if (inputs != QStringList{QStringLiteral("device")})
        parts << tr("inputs %1").arg(inputs.join(QStringLiteral(", ")));
    parts << m_moreSizes->unusual(m_preset);
    parts << tr("seed %1").arg(rangeText(axisValues(m_preset, "seed")));
    const QStringList env = axisValues(m_preset, "env");
    if (env != QStringList{QStringLiteral("none")})
        parts << env.join(QStringLiteral(", "));
    m_more->setSummary(parts.join(QStringLiteral(" · ")));
    m_combinationSection->setSummary(CombinationEdit::summary(m_preset));
    const QString problem = m_conduct->problem();
    QStringList conduct{countedText(m_preset.rounds, tr("1 repeat"), tr("%1 repeats"))};
    if (m_preset.noiseFloor)
        conduct << tr("noise floor");
    conduct << (problem.isEmpty() ? ConductEdit::summary(m_preset) : problem);
    m_conductSection->setSummary(conduct.join(QStringLiteral(" · ")));
    m_gatesSection->setSummary(GateEdit::summary(m_preset.gates));
}

void SweepEditor::setReasons(const ReasonTexts& reasons)
{
    m_precision->setReasons(of(reasons, "precision"));
    m_compile->setReasons(of(reasons, "compile"));
    m_batch->setReasons(of(reasons, "batch"));
    m_sizes->setReasons(reasons);
    m_moreSizes->setReasons(reasons);
    m_layers->setReasons(of(reasons, "layers"));
    m_attention->setReasons(of(reasons, "attention"));
    m_inputs->setReasons(of(reasons, "inputs"));
    m_seed->setReasons(of(reasons, "seed"));
}

void SweepEditor::setStages(const QStringList& stages)
{
    m_precision->setStages(stages);
}

void SweepEditor::setSizes(const std::vector<std::string>& names)
{
    m_sizes->setSizes(names);
    m_moreSizes->setSizes(names);
    m_combination->setSizes(names);
    showSummaries();
}

bool SweepEditor::isValid() const
{
    return m_batch->isValid() && m_sizes->isValid() && m_moreSizes->isValid() &&
           m_seed->isValid() && m_conduct->problem().isEmpty();
}

void SweepEditor::edit(const std::string& axis, const QStringList& values, const QString& what,
                       bool typing)
{
    const core::Status status = setAxisValues(m_preset, axis, values);
    if (!status.ok()) {
        Q_EMIT refused(QString::fromStdString(status.error().message));
        return;
    }
    m_combination->setAxes(m_preset);  // links need equally many values
    tell(what, typing);
}

}  // namespace qs::widgets

#include "moc_sweep_editor.cpp"
