#pragma once

#include <QStringList>

#include <vector>

namespace qs::widgets {

// Names of cells without options of their precision that tell none of them from another: those that
// all have that have any ("gptq-int4-128:samples=256 · fused": the precision stands first, its
// options behind colons). As they are where two would become alike.
[[nodiscard]] QStringList shortNames(const QStringList& names);

// Gives rows that have a `name` their `shortName` among all of them.
template <typename Row>
void addShortNames(std::vector<Row>& rows)
{
    QStringList names;
    for (const Row& row : rows)
        names << row.name;
    names = shortNames(names);
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].shortName = names[static_cast<qsizetype>(i)];
}

}  // namespace qs::widgets
