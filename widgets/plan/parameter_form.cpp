#include "widgets/plan/parameter_form.h"

#include "core/quant/calibration.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/parameter_field.h"
#include "widgets/plan/scheme_words.h"

#include <QEvent>
#include <QFontMetrics>
#include <QGridLayout>
#include <QLabel>

#include <algorithm>

namespace qs::widgets {

namespace {

// Those that a scheme has because it is calibrated.
bool isOfCalibration(const core::Scheme& scheme, const core::Parameter& parameter)
{
    if (!scheme->statistic)
        return false;
    std::vector<core::Parameter> all = core::calibrationParameters(1);
    for (const core::Parameter& each : core::rangeParameters())
        all.push_back(each);
    return std::any_of(all.begin(), all.end(),
                       [&](const core::Parameter& each) { return each.name == parameter.name; });
}

}  // namespace

ParameterForm::ParameterForm(const core::Scheme& scheme, QWidget* parent)
    : QWidget(parent), m_fallback(scheme), m_scheme(scheme)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    const std::vector<core::Parameter>& parameters = scheme->parameters;
    m_rows.resize(qsizetype(parameters.size()));
    for (const bool calibration : {false, true}) {
        const bool any =
            std::any_of(parameters.begin(), parameters.end(), [&](const core::Parameter& each) {
                return isOfCalibration(scheme, each) == calibration;
            });
        if (calibration && any)
            addHeading(*grid, tr("Calibration"));
        for (const core::Parameter& each : parameters) {
            if (isOfCalibration(scheme, each) == calibration)
                addRow(*grid, each);
        }
    }
    grid->setRowStretch(grid->rowCount(), 1);
    setFocusProxy(m_rows.front().field);
    setScheme(scheme);
}

void ParameterForm::addHeading(QGridLayout& grid, const QString& text)
{
    auto* heading = new QLabel(text, this);
    heading->setTextFormat(Qt::PlainText);
    heading->setForegroundRole(QPalette::PlaceholderText);
    grid.addWidget(heading, grid.rowCount(), 0, 1, 2);
}

void ParameterForm::addRow(QGridLayout& grid, const core::Parameter& parameter)
{
    auto* field = ParameterField::create(parameter, this);
    auto* label = new QLabel(QString::fromStdString(parameter.name), this);
    label->setTextFormat(Qt::PlainText);
    label->setBuddy(field);
    const QString help = parameterHelp(parameter);
    label->setToolTip(wrappedTip(help));
    field->setToolTip(wrappedTip(help));
    label->installEventFilter(this);
    field->installEventFilter(this);
    if (field->focusProxy() != nullptr)
        field->focusProxy()->installEventFilter(this);
    const int row = grid.rowCount();
    grid.addWidget(label, row, 0);
    grid.addWidget(field, row, 1);
    QFont bold = label->font();
    bold.setBold(true);
    label->setMinimumWidth(QFontMetrics(bold).horizontalAdvance(label->text()));
    const std::vector<core::Parameter>& all = m_scheme->parameters;
    const auto found = std::find_if(all.begin(), all.end(), [&](const core::Parameter& each) {
        return each.name == parameter.name;
    });
    const auto place = std::size_t(found - all.begin());
    m_rows[qsizetype(place)] = {label, field};
    connect(field, &ParameterField::edited, this, [this, place] { read(place); });
    connect(field, &ParameterField::refused, this, &ParameterForm::refused);
}

void ParameterForm::setScheme(const core::Scheme& scheme)
{
    m_scheme = scheme;
    const core::ParameterValues values = parametersOf(scheme);
    for (qsizetype i = 0; i < m_rows.size(); ++i)
        m_rows[i].field->setValue(values[std::size_t(i)]);
    showChanges();
}

void ParameterForm::read(std::size_t place)
{
    // Of the others, what boxes show may have fewer digits.
    core::ParameterValues values = parametersOf(m_scheme);
    values[place] = m_rows[qsizetype(place)].field->value();
    m_scheme = core::Scheme(m_scheme.spec(), std::move(values));
    showChanges();
    Q_EMIT edited();
}

void ParameterForm::showChanges()
{
    const core::ParameterValues values = parametersOf(m_scheme);
    const core::ParameterValues before = parametersOf(m_fallback);
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        QFont font = m_rows[i].label->font();
        font.setBold(values[std::size_t(i)] != before[std::size_t(i)]);
        m_rows[i].label->setFont(font);
    }
}

bool ParameterForm::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::Enter) {
        for (const Row& row : std::as_const(m_rows)) {
            if (watched != row.label && watched != row.field && watched != row.field->focusProxy())
                continue;
            const core::Parameter& parameter = row.field->parameter();
            Q_EMIT pointedAt(QString::fromStdString(parameter.name), parameterHelp(parameter));
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace qs::widgets

#include "moc_parameter_form.cpp"
