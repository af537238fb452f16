#pragma once

#include "core/base/parameters.h"

#include <QWidget>

namespace qs::widgets {

// The editor of one parameter: a list of its choices, a box for a number in its range, or a line
// for a text of a form of its own.
class ParameterField : public QWidget
{
    Q_OBJECT

public:
    // Its widget is named "parameter:" and the parameter's name.
    [[nodiscard]] static ParameterField* create(const core::Parameter& parameter, QWidget* parent);

    [[nodiscard]] virtual core::ParameterValue value() const = 0;
    // What a person is typing stays if it means this.
    void setValue(const core::ParameterValue& value);
    [[nodiscard]] const core::Parameter& parameter() const { return m_parameter; }

Q_SIGNALS:
    // By a person.
    void edited();
    // What is typed is no value; empty: it is.
    void refused(const QString& problem);

protected:
    ParameterField(const core::Parameter& parameter, QWidget* parent);

    virtual void show(const core::ParameterValue& value) = 0;
    void hold(QWidget* editor);

private:
    core::Parameter m_parameter;
};

}  // namespace qs::widgets
