#pragma once

#include "core/quant/scheme.h"

#include <QList>
#include <QWidget>

#include <cstddef>

class QGridLayout;
class QLabel;

namespace qs::widgets {

class ParameterField;

// The parameters of one scheme, those of its calibration apart. What differs from the default has a
// bold name.
class ParameterForm final : public QWidget
{
    Q_OBJECT

public:
    // `scheme`: what is shown first, and what the bold names differ from.
    explicit ParameterForm(const core::Scheme& scheme, QWidget* parent = nullptr);

    void setScheme(const core::Scheme& scheme);
    [[nodiscard]] const core::Scheme& scheme() const { return m_scheme; }

Q_SIGNALS:
    // By a person: scheme() is another.
    void edited();
    // The parameter that the keyboard or the mouse is at.
    void pointedAt(const QString& parameter, const QString& help);
    void refused(const QString& problem);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Row {
        QLabel* label;
        ParameterField* field;
    };

    void addRow(QGridLayout& grid, const core::Parameter& parameter);
    void addHeading(QGridLayout& grid, const QString& text);
    void read(std::size_t place);
    void showChanges();

    core::Scheme m_fallback;
    core::Scheme m_scheme;
    QList<Row> m_rows;  // in the order of the parameters
};

}  // namespace qs::widgets
