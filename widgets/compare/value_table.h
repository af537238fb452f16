#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <QTableView>

#include <vector>

namespace qs::widgets {

// How a value stands to that of the reference; shown by a colour and a sign.
enum class ValueMark { None, Different, FirstDifferent };

// "≠ " before what differs: reads without colours.
[[nodiscard]] QString marked(const QString& text, ValueMark mark);
// Nothing for None; over either theme.
[[nodiscard]] QVariant markColour(ValueMark mark);

struct ValueCell {
    QString text;
    ValueMark mark = ValueMark::None;
    QString tip = {};
};

// A small table that is made as a whole.
struct ValueTable {
    QStringList columns;
    QStringList rows;  // headings; none: there is no such column
    std::vector<std::vector<ValueCell>> cells;
};

class ValueTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(ValueTable table);
    [[nodiscard]] const ValueTable& table() const { return m_table; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    ValueTable m_table;
};

// Sets up a view on such a model, or on one like it, as all tables of values look.
void setUpValueTable(QTableView& view, const QString& name, const QString& accessible);

// Such a table among others: as high as its rows, and no wider than its columns.
class ValueTableView final : public QTableView
{
    Q_OBJECT

public:
    ValueTableView(const QString& name, const QString& accessible, QWidget* parent = nullptr);

    // The model or its columns have changed.
    void fit();

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    // As high as its rows, and the bar below them if its columns do not fit.
    void fitHeight();
};

}  // namespace qs::widgets
