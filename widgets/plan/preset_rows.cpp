#include "widgets/plan/preset_rows.h"

#include <QTreeWidget>

#include <algorithm>
#include <cstddef>

namespace qs::widgets {

namespace {

PresetRow rowOf(const QTreeWidgetItem& item)
{
    return {item.parent()->text(0), item.data(0, kPresetPathRole).toString()};
}

}  // namespace

std::vector<PresetRow> rowsToSelect(const QTreeWidget& tree)
{
    QTreeWidgetItem* current = tree.currentItem();
    const QTreeWidgetItem* group = current == nullptr ? nullptr : current->parent();
    std::vector<PresetRow> rows;
    if (group == nullptr)
        return rows;
    rows.push_back(rowOf(*current));
    const auto addUnlessHidden = [&](int i) {
        if (!group->child(i)->isHidden())
            rows.push_back(rowOf(*group->child(i)));
    };
    const int place = group->indexOfChild(current);
    for (int i = place + 1; i < group->childCount(); ++i)
        addUnlessHidden(i);
    for (int i = place - 1; i >= 0; --i)
        addUnlessHidden(i);
    return rows;
}

QStringList foldedGroups(const QTreeWidget& tree)
{
    QStringList folded;
    for (int i = 0; i < tree.topLevelItemCount(); ++i) {
        if (!tree.topLevelItem(i)->isExpanded())
            folded << tree.topLevelItem(i)->text(0);
    }
    return folded;
}

QTreeWidgetItem* itemToSelect(const QTreeWidget& tree, const QString& path,
                              const std::vector<PresetRow>& rows)
{
    QTreeWidgetItem* best = nullptr;
    std::size_t bestPlace = rows.size() + 1;
    for (int i = 0; i < tree.topLevelItemCount(); ++i) {
        for (int j = 0; j < tree.topLevelItem(i)->childCount(); ++j) {
            QTreeWidgetItem* item = tree.topLevelItem(i)->child(j);
            const PresetRow row = rowOf(*item);
            if (!path.isEmpty() && row.path == path)
                return item;
            const auto place =
                static_cast<std::size_t>(std::find(rows.begin(), rows.end(), row) - rows.begin());
            if (place < bestPlace) {
                best = item;
                bestPlace = place;
            }
        }
    }
    return best;
}

}  // namespace qs::widgets
