#pragma once

#include "widgets/plan/reason_texts.h"
#include "widgets/plan/swept_schemes.h"

#include <QAbstractTableModel>
#include <QStringList>

namespace qs::widgets {

// Pairs of precisions: a row for each scheme and variant of the first stage, a column for each of
// the second.
class PrecisionPairs final : public QAbstractTableModel
{
    Q_OBJECT

public:
    // Why a pair cannot run, as text; empty if it can.
    static constexpr int kReasonRole = Qt::UserRole;
    // Of a header: whether the scheme has parameters.
    static constexpr int kHasOptionsRole = Qt::UserRole + 1;

    // `swept` outlives the model.
    explicit PrecisionPairs(SweptSchemes& swept, QObject* parent = nullptr);

    // The swept schemes are others.
    void refresh();
    void setReasons(const Reasons& reasons);
    // Names of the two stages.
    void setStages(const QString& first, const QString& second);
    // Nothing happens to the last pair: a sweep over nothing is no sweep.
    void toggle(const QModelIndex& index);
    // In four lines: "encoder:", "bf16", "decoder:", "int8dq".
    [[nodiscard]] QString title(const QModelIndex& index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    // By a person.
    void edited();

private:
    [[nodiscard]] QString label(int entry) const;
    [[nodiscard]] QString reason(const QModelIndex& index) const;

    SweptSchemes& m_swept;
    int m_count = 0;  // of the entries that views know
    Reasons m_reasons;
    QString m_first;
    QString m_second;
};

}  // namespace qs::widgets
