#pragma once

#include <QSortFilterProxyModel>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <optional>
#include <vector>

namespace qs::widgets {

// Sorts cells by their raw values, those without one last in both directions, and shows rows in
// which every word of the filter occurs in some column that is not measured: nobody looks for a
// time by its digits. What it compares and searches is kept, so that a hundred thousand rows are
// formatted once, in pieces while nothing else is to be done, and not at every key that is typed.
class CellFilterProxy final : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit CellFilterProxy(QObject* parent = nullptr);

    void setSourceModel(QAbstractItemModel* model) override;
    // Words separated by blanks, case does not matter; a word that starts with - must not occur.
    // The words are looked for in what the table shows: "int8dq oom", "bf16 -eager".
    void setFilterText(const QString& text);
    // Short headings and texts, with verdicts as signs, for a table with little room.
    void setShort(bool wanted) { m_short = wanted; }
    // Without intervals, too.
    void setTerse(bool wanted) { m_terse = wanted; }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

protected:
    bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    // What a row is sorted by; without value, number and text are empty.
    struct SortKey {
        bool hasValue = false;
        std::optional<double> number;
        QString text;
    };

    [[nodiscard]] SortKey keyOf(int row, int column) const;
    [[nodiscard]] const SortKey& key(const QModelIndex& index) const;
    [[nodiscard]] const QString& searchText(int row) const;
    void forget();
    void prepareSome();
    void forgetRows(int first, int last);

    bool m_short = false;
    bool m_terse = false;
    QTimer m_prepare;
    int m_prepared = 0;  // rows that have a search text, from the first
    QStringList m_words;
    QStringList m_excluded;
    // By row of the source; filled when needed, emptied when a row changes.
    mutable std::vector<QString> m_searchTexts;
    mutable std::vector<std::optional<SortKey>> m_keys;  // of m_keyColumn
    mutable int m_keyColumn = -1;
};

}  // namespace qs::widgets
