#pragma once

#include <QStringList>

namespace qs::widgets {

// Names of cells without options of their precision that tell none of them from another: those that
// all have that have any ("gptq-int4-128:samples=256 · fused": the precision stands first, its
// options behind colons). As they are where two would become alike.
[[nodiscard]] QStringList shortNames(const QStringList& names);

}  // namespace qs::widgets
