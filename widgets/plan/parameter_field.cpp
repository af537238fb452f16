#include "widgets/plan/parameter_field.h"

#include "core/base/format.h"
#include "widgets/plan/scheme_words.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>

#include <cmath>
#include <string>

namespace qs::widgets {

namespace {

constexpr int kDecimals = 9;
constexpr int kNarrowestField = 84;  // pixels

// A number in as few digits as it needs.
class ShortestBox final : public QDoubleSpinBox
{
public:
    using QDoubleSpinBox::QDoubleSpinBox;

    [[nodiscard]] QString textFromValue(double value) const override
    {
        QLocale plain = locale();
        plain.setNumberOptions(QLocale::OmitGroupSeparator);
        return plain.toString(value, 'f', QLocale::FloatingPointShortest);
    }
};

// In units of the last digit of the default: 0.5 moves by 0.1, 99.99 by 0.01.
double stepOf(double fallback)
{
    const std::string text = core::formatExact(fallback);
    const auto point = text.find('.');
    return point == text.npos ? 1.0 : std::pow(10.0, -double(text.size() - point - 1));
}

class NumberField final : public ParameterField
{
public:
    NumberField(const core::Parameter& parameter, QWidget* parent)
        : ParameterField(parameter, parent), m_box(new ShortestBox(this))
    {
        const auto* real = std::get_if<double>(&parameter.fallback);
        m_box->setDecimals(real != nullptr ? kDecimals : 0);
        m_box->setRange(parameter.lowest, parameter.highest);
        m_box->setSingleStep(real != nullptr ? stepOf(*real) : 1.0);
        m_box->setAccelerated(true);
        hold(m_box);
        show(parameter.fallback);
        connect(m_box, &QDoubleSpinBox::valueChanged, this, &ParameterField::edited);
    }

    [[nodiscard]] core::ParameterValue value() const override
    {
        if (std::holds_alternative<double>(parameter().fallback))
            return m_box->value();
        return static_cast<std::int64_t>(std::llround(m_box->value()));
    }

protected:
    void show(const core::ParameterValue& value) override
    {
        const auto* real = std::get_if<double>(&value);
        m_box->setValue(real != nullptr ? *real
                                        : static_cast<double>(std::get<std::int64_t>(value)));
    }

private:
    QDoubleSpinBox* m_box;
};

class ChoiceField final : public ParameterField
{
public:
    ChoiceField(const core::Parameter& parameter, QWidget* parent)
        : ParameterField(parameter, parent), m_box(new QComboBox(this))
    {
        for (const core::ParameterValue& choice : parameter.choices)
            m_box->addItem(parameterText(choice));
        hold(m_box);
        show(parameter.fallback);
        connect(m_box, &QComboBox::activated, this, &ParameterField::edited);
    }

    [[nodiscard]] core::ParameterValue value() const override
    {
        return parameter().choices[std::size_t(m_box->currentIndex())];
    }

protected:
    void show(const core::ParameterValue& value) override
    {
        m_box->setCurrentIndex(m_box->findText(parameterText(value)));
    }

private:
    QComboBox* m_box;
};

class TextField final : public ParameterField
{
public:
    TextField(const core::Parameter& parameter, QWidget* parent)
        : ParameterField(parameter, parent),
          m_line(new QLineEdit(this)),
          m_value(parameter.fallback)
    {
        hold(m_line);
        show(m_value);
        connect(m_line, &QLineEdit::textEdited, this, &TextField::read);
    }

    [[nodiscard]] core::ParameterValue value() const override { return m_value; }

protected:
    void show(const core::ParameterValue& value) override
    {
        m_value = value;
        m_line->setText(parameterText(value));
    }

private:
    void read()
    {
        const core::Parameter& own = parameter();
        const std::string assignment =
            (own.unnamed ? "" : own.name + "=") + m_line->text().toStdString();
        const auto values = core::parseParameters("x:" + assignment, "x", {own});
        Q_EMIT refused(values.ok() ? QString() : QString::fromStdString(values.error().message));
        if (!values.ok() || values.value().front() == m_value)
            return;
        m_value = values.value().front();
        Q_EMIT edited();
    }

    QLineEdit* m_line;
    core::ParameterValue m_value;
};

}  // namespace

ParameterField* ParameterField::create(const core::Parameter& parameter, QWidget* parent)
{
    if (!parameter.choices.empty() && !parameter.several)
        return new ChoiceField(parameter, parent);
    if (std::holds_alternative<std::string>(parameter.fallback))
        return new TextField(parameter, parent);
    return new NumberField(parameter, parent);
}

ParameterField::ParameterField(const core::Parameter& parameter, QWidget* parent)
    : QWidget(parent), m_parameter(parameter)
{
}

void ParameterField::hold(QWidget* editor)
{
    editor->setObjectName(QStringLiteral("parameter:") + QString::fromStdString(m_parameter.name));
    editor->setAccessibleName(QString::fromStdString(m_parameter.name));
    editor->setAccessibleDescription(parameterHelp(m_parameter));
    editor->setMinimumWidth(kNarrowestField);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(editor);
    setFocusProxy(editor);
}

void ParameterField::setValue(const core::ParameterValue& value)
{
    if (this->value() == value)
        return;
    const QSignalBlocker blocker(this);
    show(value);
}

}  // namespace qs::widgets

#include "moc_parameter_field.cpp"
