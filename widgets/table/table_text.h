#pragma once

#include <QAbstractItemModel>
#include <QString>

#include <vector>

namespace qs::widgets {

// Part of a table as the user sees it: its rows from the top, its columns from the left.
struct TableExcerpt {
    const QAbstractItemModel* model = nullptr;
    std::vector<int> rows;
    std::vector<int> columns;

    [[nodiscard]] bool empty() const { return model == nullptr || rows.empty() || columns.empty(); }
};

// With the headings. Raw numbers in the C locale, missing values empty, texts that a spreadsheet
// would run as a formula defused.
[[nodiscard]] QString csvText(const TableExcerpt& excerpt);
[[nodiscard]] QString tsvText(const TableExcerpt& excerpt);
// As the table shows it.
[[nodiscard]] QString markdownText(const TableExcerpt& excerpt);
// The same as a tabular of the package booktabs.
[[nodiscard]] QString latexText(const TableExcerpt& excerpt);

}  // namespace qs::widgets
