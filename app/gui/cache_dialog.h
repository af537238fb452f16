#pragma once

#include "core/run/cache_contents.h"

#include <QDialog>

#include <array>
#include <filesystem>
#include <vector>

class QLabel;
class QPushButton;

namespace qs::app {

// What QuantScope keeps to be quicker the next time: files and size of each kind, and a button that
// removes them. Folders are read and cleared by a worker of the pool.
class CacheDialog final : public QDialog
{
    Q_OBJECT

public:
    // `caches`: the folder of all; empty if there is none.
    explicit CacheDialog(std::filesystem::path caches, QWidget* parent = nullptr);

    [[nodiscard]] bool isBusy() const { return m_busy; }

private:
    struct Line {
        core::CacheKind kind = core::CacheKind::Inputs;
        QLabel* size = nullptr;
        QPushButton* clear = nullptr;
    };
    struct Answer {
        std::vector<core::CacheContents> contents;
        std::size_t remaining = 0;  // files that could not be removed
    };

    void addLines();
    void refresh();
    void clear(core::CacheKind kind);
    void receive(const Answer& answer);
    void setBusy(bool busy);

    std::filesystem::path m_caches;
    std::array<Line, core::kCacheKinds.size()> m_lines;
    std::vector<core::CacheContents> m_contents;
    QLabel* m_note = nullptr;
    bool m_busy = false;
};

}  // namespace qs::app
