#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <QTableView>

#include <map>
#include <set>
#include <string>
#include <utility>

namespace qs::widgets {

// Value -> why it cannot run on the device that is planned for.
using Reasons = std::map<std::string, std::string>;

// Pairs of precisions: a row for each scheme of the first stage, a column for each of the second.
class PrecisionPairs final : public QAbstractTableModel
{
    Q_OBJECT

public:
    // Why a pair cannot run, as text; empty if it can.
    static constexpr int kReasonRole = Qt::UserRole;

    explicit PrecisionPairs(QObject* parent = nullptr);

    // "bf16", "bf16/int8dq"; what is not a pair of known schemes is kept as it is.
    void setValues(const QStringList& values);
    [[nodiscard]] QStringList values() const;
    void setReasons(const Reasons& reasons);
    // Names of the two stages.
    void setStages(const QString& first, const QString& second);
    // Nothing happens to the last pair: a sweep over nothing is no sweep.
    void toggle(const QModelIndex& index);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void valuesEdited(const QStringList& values);

private:
    using Pair = std::pair<int, int>;

    [[nodiscard]] QString text(const Pair& pair) const;
    [[nodiscard]] QString reason(const QModelIndex& index) const;

    QStringList m_schemes;
    std::set<Pair> m_pairs;
    QStringList m_others;
    Reasons m_reasons;
    QString m_first;
    QString m_second;
};

// The matrix of pairs to click, or to walk with the arrow keys and Space. All of it is visible: it
// takes the height that it needs.
class PrecisionMatrix final : public QTableView
{
    Q_OBJECT

public:
    explicit PrecisionMatrix(PrecisionPairs& pairs, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    // Of all columns.
    [[nodiscard]] int wholeWidth() const;

    PrecisionPairs& m_pairs;
};

}  // namespace qs::widgets
