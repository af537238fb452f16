#include "widgets/plan/conduct_edit.h"

#include "widgets/plan/measurement_edit.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QRegularExpressionValidator>

namespace qs::widgets {

ConductEdit::ConductEdit(QWidget* parent)
    : QWidget(parent),
      m_isolation(new QComboBox(this)),
      m_orderSeed(new QLineEdit(this)),
      m_measurement(new MeasurementEdit(this))
{
    buildIsolation();
    buildOrderSeed();
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(3);
    form->addRow(tr("Isolation"), m_isolation);
    form->addRow(m_measurement);
    form->addRow(tr("Seed of the order of cells"), m_orderSeed);
    connect(m_measurement, &MeasurementEdit::settingsEdited, this, &ConductEdit::measurementEdited);
    connect(m_measurement, &MeasurementEdit::problemChanged, this, &ConductEdit::problemChanged);
}

void ConductEdit::buildIsolation()
{
    m_isolation->setObjectName(QStringLiteral("isolationBox"));
    m_isolation->setAccessibleName(tr("Isolation"));
    m_isolation->setToolTip(tr("Whether cells share a process"));
    m_isolation->addItem(tr("A fresh process per cell"),
                         QVariant::fromValue(core::Isolation::Cell));
    m_isolation->setItemData(
        0,
        tr("Gives: nothing is left over from another cell, memory figures are true, a crash costs "
           "one cell. Costs: start and loading for every cell and repeat"),
        Qt::ToolTipRole);
    m_isolation->addItem(tr("One process per model"), QVariant::fromValue(core::Isolation::Model));
    m_isolation->setItemData(
        1,
        tr("Gives: the weights are loaded once for many cells, which saves minutes each with "
           "billions of parameters. Costs: memory and caches of the cell before may be left over, "
           "so that peaks are less sure, and a crash takes the loaded model with it. The record "
           "says which it was"),
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
        tr("Each repeat runs the cells in another random order, so that a drift of the clocks does "
           "not favour any. The same seed gives the same orders. A whole number from 0"));
    // Eighteen digits always fit into 63 bits.
    m_orderSeed->setValidator(new QRegularExpressionValidator(
        QRegularExpression(QStringLiteral("[0-9]{1,18}")), m_orderSeed));
    connect(m_orderSeed, &QLineEdit::textEdited, this, [this](const QString& text) {
        if (m_orderSeed->hasAcceptableInput())
            Q_EMIT orderSeedEdited(text.toLongLong());
    });
}

void ConductEdit::setPreset(const core::Preset& preset)
{
    m_isolation->setCurrentIndex(m_isolation->findData(QVariant::fromValue(preset.isolation)));
    m_orderSeed->setText(QString::number(preset.orderSeed));
    m_measurement->setSettings(preset.measurement);
}

QString ConductEdit::problem() const
{
    return m_measurement->problem();
}

QString ConductEdit::summary(const core::Preset& preset)
{
    const QString isolation = preset.isolation == core::Isolation::Cell ? tr("a process per cell")
                                                                        : tr("a process per model");
    return isolation + QStringLiteral(" · ") + MeasurementEdit::summary(preset.measurement);
}

}  // namespace qs::widgets
