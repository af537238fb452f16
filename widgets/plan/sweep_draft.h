#pragma once

#include "widgets/plan/draft_file.h"
#include "widgets/plan/draft_history.h"

#include <memory>

namespace qs::widgets {

// The draft: a preset that is being edited. Every edit can be undone, and is kept in a file.
class SweepDraft final : public QObject
{
    Q_OBJECT

public:
    explicit SweepDraft(QObject* parent = nullptr);

    [[nodiscard]] const core::Preset& preset() const { return m_history.draft().preset; }
    // Empty if it came from no file.
    [[nodiscard]] const std::filesystem::path& source() const { return m_history.draft().source; }
    [[nodiscard]] const DraftHistory& history() const { return m_history; }
    // Whether it is another sweep than the preset it was made from, as whoever has that says.
    [[nodiscard]] bool differs() const { return m_differs; }
    void setDiffers(bool differs);

    // Replaces the draft; one that was edited comes back with undo.
    void open(const core::Preset& preset, const std::filesystem::path& source = {});
    // The draft of the last time, made from this preset.
    void restore(const core::Preset& preset, const std::filesystem::path& source = {});
    // Keeps the edited draft in this file from now on.
    void keepIn(const std::filesystem::path& file);
    // `what` completes "Undo …"; edits of one kind become one step while `typing`.
    void change(core::Preset preset, const QString& what, bool typing = false);

Q_SIGNALS:
    // Another draft, by opening or by undo: editors show it.
    void shown();
    // After shown().
    void opened();
    // Also by undo.
    void edited();
    void differsChanged();
    // It cannot be written: it will not be there at the next start.
    void notKept(const QString& problem);

private:
    void tellEdited();

    DraftHistory m_history;
    bool m_differs = false;
    std::unique_ptr<DraftFile> m_file;
};

}  // namespace qs::widgets
