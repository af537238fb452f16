#pragma once

#include <QString>
#include <QStringList>

#include <vector>

class QTreeWidget;
class QTreeWidgetItem;

// How the list of presets, groups with rows, is made anew and stays where it was.
namespace qs::widgets {

inline constexpr int kPresetPathRole = Qt::UserRole + 1;  // a row's file, QString

// A row of the list of presets. One preset can stand in two groups: shipped and opened recently.
struct PresetRow {
    QString group;
    QString path;

    bool operator==(const PresetRow&) const = default;
};

// The selected row; if it should be gone, those of its group that take its place: below, then
// above.
[[nodiscard]] std::vector<PresetRow> rowsToSelect(const QTreeWidget& tree);

// Titles of groups whose rows are not shown.
[[nodiscard]] QStringList foldedGroups(const QTreeWidget& tree);

// The preset at `path`; without one the first of `rows` that is there; without these the first row.
// Null if there is none.
[[nodiscard]] QTreeWidgetItem* itemToSelect(const QTreeWidget& tree, const QString& path,
                                            const std::vector<PresetRow>& rows);

}  // namespace qs::widgets
