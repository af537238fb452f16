#pragma once

#include "core/sweep/preset.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLineEdit;

namespace qs::widgets {

class MeasurementEdit;

// How the cells of a sweep are run and timed.
class ConductEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit ConductEdit(QWidget* parent = nullptr);

    void setPreset(const core::Preset& preset);
    // What is wrong with what stands there; empty if nothing is.
    [[nodiscard]] QString problem() const;
    // "a process per cell · 0.5–15 s of samples"
    [[nodiscard]] static QString summary(const core::Preset& preset);

Q_SIGNALS:
    void isolationEdited(qs::core::Isolation isolation);
    void orderSeedEdited(qint64 seed);
    void measurementEdited(const qs::core::MeasurementSettings& settings);
    void priceEdited(const qs::core::Price& price);
    void problemChanged();

private:
    void buildIsolation();
    void buildOrderSeed();
    void buildPrice();
    // What stands in the field; nothing if it is no price. An empty field is no price to show.
    [[nodiscard]] std::optional<core::Price> enteredPrice() const;

    QComboBox* m_isolation;
    QLineEdit* m_orderSeed;
    QLineEdit* m_price;
    MeasurementEdit* m_measurement;
};

}  // namespace qs::widgets
