#pragma once

#include "core/measure/layer_report.h"
#include "widgets/model/layer_report_text.h"
#include "widgets/model/layer_ticks.h"
#include "widgets/model/layer_tree.h"

#include <QAbstractItemModel>

#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace qs::widgets {

// A LayerTree as a Qt model, with what quantizing did to its layers in a run, and with layers to
// tick. The whole tree is replaced at once.
class LayerTreeModel final : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column {
        Name,
        Role,
        Regions,
        Shape,
        Parameters,
        Flops,
        Memory,
        RunsIn,
        // Of the report.
        Scale,
        Saturated,
        Underflown,
        WeightError,
        LocalError,
        CumulativeError,
        Executed,
        Fused,
        SolverLoss,
        SolverSeconds,
        DeadColumns,
        Why,
        ColumnCount
    };
    [[nodiscard]] static bool isOfReport(int column);
    // Whether the report has something for it: of GPTQ where that made a weight, of fused cells
    // where there are some.
    [[nodiscard]] bool isReported(int column) const;
    // Numbers as doubles, for sorting and tests.
    static constexpr int kSortRole = Qt::UserRole;

    explicit LayerTreeModel(QObject* parent = nullptr);

    enum class Ticking {
        AsRecipe,  // of the new tree
        Kept,
    };
    void setTree(LayerTree tree, Ticking ticking = Ticking::AsRecipe);
    [[nodiscard]] const LayerTree& tree() const { return m_tree; }
    // Nothing where no run has measured these layers.
    void setReport(const std::optional<core::LayerReport>& report);
    [[nodiscard]] const LayerTicks& ticks() const { return m_ticks; }

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    // By a person.
    void ticked();

private:
    struct Place {
        const LayerNode* parent = nullptr;  // null for stages
        int row = 0;
    };

    [[nodiscard]] static LayerFigure figureOf(int column);  // of the report
    void remember(const std::vector<LayerNode>& nodes, const LayerNode* parent);
    [[nodiscard]] const std::vector<LayerNode>& childrenOf(const QModelIndex& parent) const;
    void tellChanged(const QModelIndex& parent);
    [[nodiscard]] const core::ReportedLayer* reported(const LayerNode& node) const;
    [[nodiscard]] QString text(const LayerNode& node, int column) const;
    [[nodiscard]] QString toolTip(const LayerNode& node, int column) const;
    [[nodiscard]] QVariant foreground(const LayerNode& node, int column) const;

    LayerTree m_tree;
    LayerTicks m_ticks;
    std::map<std::string, core::ReportedLayer> m_report;  // by "stage/module"
    std::unordered_map<const LayerNode*, Place> m_places;
};

}  // namespace qs::widgets
