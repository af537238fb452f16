#pragma once

#include "widgets/model/layer_tree.h"

#include <QAbstractItemModel>

#include <unordered_map>

namespace qs::widgets {

// A LayerTree as a Qt model. The whole tree is replaced at once.
class LayerTreeModel final : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { Name, Parameters, Flops, Memory, RunsIn, Why, ColumnCount };
    // Numbers as doubles, for sorting and tests.
    static constexpr int kSortRole = Qt::UserRole;

    explicit LayerTreeModel(QObject* parent = nullptr);

    void setTree(LayerTree tree);
    [[nodiscard]] const LayerTree& tree() const { return m_tree; }

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Place {
        const LayerNode* parent = nullptr;  // null for stages
        int row = 0;
    };

    void remember(const std::vector<LayerNode>& nodes, const LayerNode* parent);
    [[nodiscard]] const std::vector<LayerNode>& childrenOf(const QModelIndex& parent) const;
    [[nodiscard]] QString text(const LayerNode& node, int column) const;
    [[nodiscard]] QString toolTip(const LayerNode& node, int column) const;

    LayerTree m_tree;
    std::unordered_map<const LayerNode*, Place> m_places;
};

}  // namespace qs::widgets
