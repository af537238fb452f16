#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace qs::widgets {

// Sorts cells by their raw values, those without one last in both directions, and shows rows in
// which every word of the filter occurs in some column.
class CellFilterProxy final : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit CellFilterProxy(QObject* parent = nullptr);

    // Words separated by blanks, case does not matter; a word that starts with - must not occur.
    // The words are looked for in what the table shows: "int8dq oom", "bf16 -eager".
    void setFilterText(const QString& text);

protected:
    bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QStringList m_words;
    QStringList m_excluded;
};

}  // namespace qs::widgets
