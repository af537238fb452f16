#include "widgets/plan/conduct_edit.h"

#include "widgets/plan/measurement_edit.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpressionValidator>

namespace qs::widgets {

ConductEdit::ConductEdit(QWidget* parent)
    : QWidget(parent),
      m_isolation(new QComboBox(this)),
      m_orderSeed(new QLineEdit(this)),
      m_price(new QLineEdit(this)),
      m_measurement(new MeasurementEdit(this))
{
    buildIsolation();
    buildOrderSeed();
    buildPrice();
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(2);
    form->addRow(tr("Isolation"), m_isolation);
    form->addRow(m_measurement);
    form->addRow(tr("Seed of the order of cells"), m_orderSeed);
    form->addRow(tr("Device price per hour"), m_price);
    connect(m_measurement, &MeasurementEdit::settingsEdited, this, &ConductEdit::measurementEdited);
    connect(m_measurement, &MeasurementEdit::problemChanged, this, &ConductEdit::problemChanged);
}

void ConductEdit::buildIsolation()
{
    m_isolation->setObjectName(QStringLiteral("isolationBox"));
    m_isolation->setAccessibleName(tr("Isolation"));
    m_isolation->setToolTip(tr("Process isolation of cells"));
    m_isolation->addItem(tr("A fresh process per cell"),
                         QVariant::fromValue(core::Isolation::Cell));
    m_isolation->setItemData(
        0,
        tr("Advantage: no state leaks between cells, memory figures are accurate, a crash costs "
           "one cell. Drawback: start-up and loading for every cell and repeat"),
        Qt::ToolTipRole);
    m_isolation->addItem(tr("One process per model"), QVariant::fromValue(core::Isolation::Model));
    m_isolation->setItemData(
        1,
        tr("Advantage: weights are loaded once for many cells, which saves minutes per cell with "
           "billions of parameters. Drawback: memory and caches of earlier cells may remain, so "
           "memory peaks are less reliable, and after a crash the model is loaded again. The "
           "isolation is recorded with the run"),
        Qt::ToolTipRole);
    connect(m_isolation, &QComboBox::activated, this, [this] {
        Q_EMIT isolationEdited(m_isolation->currentData().value<core::Isolation>());
    });
}

void ConductEdit::buildOrderSeed()
{
    m_orderSeed->setObjectName(QStringLiteral("orderSeed"));
    m_orderSeed->setAccessibleName(tr("Seed of the order of cells"));
    m_orderSeed->setToolTip(
        tr("Each repeat runs the cells in a new random order, so that clock drift favours none. "
           "The same seed gives the same orders. A whole number from 0"));
    // Eighteen digits always fit into 63 bits.
    m_orderSeed->setValidator(new QRegularExpressionValidator(
        QRegularExpression(QStringLiteral("[0-9]{1,18}")), m_orderSeed));
    connect(m_orderSeed, &QLineEdit::textEdited, this, [this](const QString& text) {
        if (m_orderSeed->hasAcceptableInput())
            Q_EMIT orderSeedEdited(text.toLongLong());
    });
}

void ConductEdit::buildPrice()
{
    m_price->setObjectName(QStringLiteral("devicePrice"));
    m_price->setAccessibleName(tr("Device price per hour"));
    m_price->setPlaceholderText(tr("none; e.g. %1").arg(QStringLiteral("2.5 USD")));
    m_price->setToolTip(
        tr("A number and a currency. Adds the cost of the run and of a million images to the table "
           "and the reports. Empty: no costs. Currencies are not converted"));
    m_price->setMaxLength(32);
    connect(m_price, &QLineEdit::textEdited, this, [this] {
        if (const auto price = enteredPrice())
            Q_EMIT priceEdited(*price);
        Q_EMIT problemChanged();
    });
}

std::optional<core::Price> ConductEdit::enteredPrice() const
{
    const QString text = m_price->text().simplified();
    if (text.isEmpty())
        return core::Price();
    const auto space = text.lastIndexOf(QLatin1Char(' '));
    bool isNumber = false;
    // Both what the user's language writes and what files hold.
    double number = QLocale().toDouble(text.left(space), &isNumber);
    if (!isNumber)
        number = QLocale::c().toDouble(text.left(space), &isNumber);
    if (space < 0 || !isNumber)
        return std::nullopt;
    const auto price =
        core::parsePrice(core::priceText({number, text.mid(space + 1).toStdString()}));
    return price.ok() ? std::optional(price.value()) : std::nullopt;
}

void ConductEdit::setPreset(const core::Preset& preset)
{
    m_isolation->setCurrentIndex(m_isolation->findData(QVariant::fromValue(preset.isolation)));
    m_orderSeed->setText(QString::number(preset.orderSeed));
    m_measurement->setSettings(preset.measurement);
    // What is being typed comes back as the same price: it keeps its form, and the cursor its
    // place.
    if (enteredPrice() != preset.price)
        m_price->setText(
            preset.price.empty()
                ? QString()
                : QStringLiteral("%1 %2").arg(QLocale().toString(preset.price.perDeviceHour, 'g',
                                                                 QLocale::FloatingPointShortest),
                                              QString::fromStdString(preset.price.currency)));
}

QString ConductEdit::problem() const
{
    if (const QString problem = m_measurement->problem(); !problem.isEmpty())
        return problem;
    return enteredPrice()
               ? QString()
               : tr("Enter a number and a currency, such as %1.").arg(QStringLiteral("2.5 USD"));
}

QString ConductEdit::summary(const core::Preset& preset)
{
    const QString isolation = preset.isolation == core::Isolation::Cell
                                  ? tr("one process per cell")
                                  : tr("one process per model");
    return isolation + QStringLiteral(" · ") + MeasurementEdit::summary(preset.measurement);
}

}  // namespace qs::widgets

#include "moc_conduct_edit.cpp"
