#pragma once

#include "core/sweep/preset.h"
#include "widgets/plan/reason_texts.h"

#include <QWidget>

class QCheckBox;
class QSpinBox;

namespace qs::widgets {

class ChoiceList;
class CombinationEdit;
class ConductEdit;
class FoldSection;
class GateEdit;
class LayerScopeEdit;
class PrecisionEdit;
class RangeEdit;
class SizeEdits;

// The axes of a sweep and how often it is run. Shows one preset and tells of edits; whatever it has
// no editor for stays as it is.
class SweepEditor final : public QWidget
{
    Q_OBJECT

public:
    explicit SweepEditor(QWidget* parent = nullptr);

    void setPreset(const core::Preset& preset);
    // The same with a change that has no editor here: what a person is typing stays.
    void adoptPreset(const core::Preset& preset);
    // Values that cannot run are grey with the reason.
    void setReasons(const ReasonTexts& reasons);
    // Names of the stages of the model.
    void setStages(const QStringList& stages);
    // Names of the sizes of the model.
    void setSizes(const std::vector<std::string>& names);
    // No half-typed list of numbers, no minimum above its maximum.
    [[nodiscard]] bool isValid() const;

Q_SIGNALS:
    // By a person: the changed preset, what was changed ("batch sizes"), and whether the edits of
    // it belong together, as the letters of one word do.
    void edited(const qs::core::Preset& preset, const QString& what, bool typing);
    // A list has values that it cannot have together.
    void refused(const QString& problem);
    void validityChanged();

private:
    // What the box offers; a preset may have more.
    static constexpr int kUsualRounds = 100;

    void build();
    [[nodiscard]] QWidget* buildConduct();
    [[nodiscard]] QWidget* buildRounds(QWidget* parent);
    [[nodiscard]] QWidget* buildMore();
    FoldSection* addSection(const QString& title, const char* name, QWidget* content);
    void connectEditors();
    void connectCombination();
    void connectConduct();
    void edit(const std::string& axis, const QStringList& values, const QString& what,
              bool typing = false);
    void tell(const QString& what, bool typing = false);
    void showSummaries();

    core::Preset m_preset;
    PrecisionEdit* m_precision = nullptr;
    ChoiceList* m_compile = nullptr;
    RangeEdit* m_batch = nullptr;
    SizeEdits* m_sizes = nullptr;
    SizeEdits* m_moreSizes = nullptr;  // that are off unless asked
    QSpinBox* m_rounds = nullptr;
    QCheckBox* m_noiseFloor = nullptr;
    FoldSection* m_more = nullptr;
    LayerScopeEdit* m_layers = nullptr;
    ChoiceList* m_attention = nullptr;
    ChoiceList* m_inputs = nullptr;
    RangeEdit* m_seed = nullptr;
    FoldSection* m_combinationSection = nullptr;
    CombinationEdit* m_combination = nullptr;
    FoldSection* m_conductSection = nullptr;
    ConductEdit* m_conduct = nullptr;
    FoldSection* m_gatesSection = nullptr;
    GateEdit* m_gates = nullptr;
};

}  // namespace qs::widgets
