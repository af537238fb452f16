#pragma once

#include "core/sweep/preset.h"
#include "widgets/plan/reason_texts.h"

#include <QStringList>
#include <QWidget>

#include <string>
#include <vector>

class QFormLayout;

namespace qs::widgets {

class RangeEdit;

enum class SizeUse {
    Usual,     // sizes that the model always has, and axes that code outside the product added
    OnRequest  // sizes that are off unless asked
};

// A line of whole numbers for each size of one use that the model has (image size, prompt tokens
// …).
class SizeEdits final : public QWidget
{
    Q_OBJECT

public:
    explicit SizeEdits(SizeUse use, QWidget* parent = nullptr);

    void setPreset(const core::Preset& preset);
    // Names of the sizes of the model; those of other models are hidden, unless they are an
    // axis: no cell can run with it, so that it has to be taken out.
    void setSizes(const std::vector<std::string>& names);
    void setReasons(const ReasonTexts& reasons);
    [[nodiscard]] bool isValid() const;
    // Sizes of the model that `preset` has otherwise than usual: "token budget 256".
    [[nodiscard]] QStringList unusual(const core::Preset& preset) const;

Q_SIGNALS:
    // By a person, as they type; `title` is the size in words.
    void valuesEdited(const QString& axis, const QStringList& values, const QString& title);
    void validityChanged();

private:
    struct Line {
        std::string name;
        QString fallback;  // of a size: what the model takes where the preset says nothing
        RangeEdit* edit = nullptr;
        bool ofModels = true;  // a size of some models
        bool swept = false;    // an axis of the preset, whatever the model
    };

    [[nodiscard]] static QStringList valuesOf(const core::Preset& preset, const Line& line);
    void showLines();

    QFormLayout* m_form;
    std::vector<Line> m_lines;
    std::vector<std::string> m_ofModel;
};

}  // namespace qs::widgets
