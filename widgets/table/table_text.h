#pragma once

#include <QModelIndexList>
#include <QString>

namespace qs::widgets {

// Selected cells of a table as text, with a line of headings. Each row of the selection gives a
// line, each column that is selected anywhere a field.
//   csv       for programs: raw numbers in the C locale that read back to the same double, missing
//   = empty, texts
//             safe from being taken for formulas by a spreadsheet
//   tsv       the same values separated by tabs, for pasting into a spreadsheet
//   markdown  for people: what the table shows
[[nodiscard]] QString selectionAsCsv(const QModelIndexList& selection);
[[nodiscard]] QString selectionAsTsv(const QModelIndexList& selection);
[[nodiscard]] QString selectionAsMarkdown(const QModelIndexList& selection);

}  // namespace qs::widgets
