#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace qs::core {

// What a worker prints while it has a cell, line by line. A flood is cut: it must fill neither a
// disk nor a window.
class WorkerLog final
{
public:
    // `emit` gets each line, at most `mostBytes` of a cell.
    WorkerLog(std::function<void(const std::string& line)> emit, std::size_t mostBytes);

    // A cell begins: nothing is left of the one before.
    void begin();
    // Output as it comes, in pieces of any size.
    void add(const std::string& text);
    // The cell is over: what has no end of line is a line, too.
    void end();
    // The last lines of the cell, some kilobytes; to be asked for after end().
    [[nodiscard]] const std::string& tail() const { return m_tail; }

private:
    void addLine(const std::string& line);

    std::function<void(const std::string& line)> m_emit;
    std::size_t m_mostBytes;
    std::string m_unfinishedLine;
    std::string m_tail;
    std::size_t m_bytes = 0;         // of this cell
    std::size_t m_droppedBytes = 0;  // of these, not passed on
};

}  // namespace qs::core
