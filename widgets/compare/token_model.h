#pragma once

#include "widgets/compare/loaded_values.h"
#include "widgets/compare/value_table.h"

#include <QAbstractTableModel>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace qs::widgets {

// What the reference and the cells generated, a row each, place by place. Tokens that are not those
// of the reference are marked, the first of a row most; what comes after it was written in answer
// to another text. Below a cell whose logits were kept stands how far each is from the reference.
class TokenModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setLoaded(std::shared_ptr<const LoadedValues> loaded);
    // Of the first cell; -1 if it wrote what the reference did, or nothing is known.
    [[nodiscard]] int firstDivergence() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Row {
        std::optional<std::size_t> cell = {};  // nothing: the reference
        bool distances = false;                // of its logits, not its tokens
    };

    [[nodiscard]] const CellValues& valuesOf(const Row& row) const;
    [[nodiscard]] QVariant tokenData(const Row& row, std::size_t place, int role) const;
    [[nodiscard]] QString heading(const Row& row) const;
    [[nodiscard]] QString shown(std::int64_t id) const;
    [[nodiscard]] QVariant tip(std::int64_t id, ValueMark mark, const QString& distance) const;

    std::shared_ptr<const LoadedValues> m_loaded;
    std::vector<Row> m_rows;
};

}  // namespace qs::widgets
