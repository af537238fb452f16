#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace qs::app {

// Sorts runs by their raw values, those without one last in both directions, and shows those in
// which every word occurs: in name, tags, note, model, device, sweep or folder.
class RunFilter final : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit RunFilter(QObject* parent = nullptr);

    // Words separated by blanks, case does not matter; a word that starts with - must not occur.
    void setWords(const QString& text);
    [[nodiscard]] int hidden() const;

protected:
    bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QStringList m_words;
    QStringList m_excluded;
};

}  // namespace qs::app
