#pragma once

#include "widgets/plan/preset_list.h"
#include "widgets/plan/sweep_draft.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace qs::widgets {

// Which preset the draft begins with, the way to all of them, undo and redo.
class PresetBar final : public QWidget
{
    Q_OBJECT

public:
    // `draft` must outlive the bar, which follows it.
    explicit PresetBar(const SweepDraft& draft, QWidget* parent = nullptr);

    void setPresets(const std::vector<PresetEntry>& entries);

Q_SIGNALS:
    void presetChosen(const QString& path);
    void browseRequested();

private:
    void build();
    void showDraft();
    void describe();

    const SweepDraft& m_draft;
    QComboBox* m_chooser;
    QLabel* m_description;
};

}  // namespace qs::widgets
