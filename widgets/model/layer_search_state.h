#pragma once

#include <QString>

#include <cstddef>

namespace qs::widgets {

// How far the search for the fewest parts to keep unquantized is. A plain value.
struct LayerSearchState {
    enum class Kind { Idle, Measuring, Found, NothingMeets, Stopped, Failed };

    Kind kind = Kind::Idle;
    std::size_t kept = 0;   // parts that the cell leaves unquantized that is measured now
    std::size_t parts = 0;  // of all
    int looked = 0;         // cells that were looked at before
    QString filter = {};    // Found: what meets the limit
    QString problem = {};   // Failed: a sentence
};

}  // namespace qs::widgets
