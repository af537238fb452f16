#pragma once

#include "core/sweep/preset.h"
#include "widgets/plan/preset_list.h"

#include <QDialog>

#include <filesystem>
#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;
class QVBoxLayout;

namespace qs::widgets {

struct PresetPlaces {
    std::filesystem::path shipped;
    std::filesystem::path own;  // made when something is saved there
    QStringList recent;         // files, newest first
};

// Finds, opens, saves, deletes and takes in presets. A broken one is listed with what is wrong in
// it and where. Modeless; files are read and written on the pool.
class PresetBrowser final : public QDialog
{
    Q_OBJECT

public:
    // `draft` is what can be saved.
    PresetBrowser(PresetPlaces places, core::Preset draft, QWidget* parent);

    [[nodiscard]] bool isBusy() const { return m_busy > 0; }

Q_SIGNALS:
    void presetChosen(const QString& path);
    void openFileRequested();
    // The own presets are no longer what they were.
    void ownPresetsChanged();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    using Groups = std::vector<std::pair<QString, std::vector<PresetEntry>>>;

    void build();
    [[nodiscard]] QWidget* buildDetails();
    [[nodiscard]] QWidget* buildSaving();
    [[nodiscard]] QWidget* buildButtons();
    void refresh(const std::filesystem::path& select = {});
    void fill(const Groups& groups, const std::filesystem::path& select);
    void applySearch();
    void showCurrent();
    void openCurrent();
    void askDelete();
    void save();
    void updateSaveButton();
    // Runs `work` on the pool; then the list again, with its result selected, or what went wrong.
    void change(std::function<core::Result<std::filesystem::path>()> work);
    void showProblem(const QString& problem);
    [[nodiscard]] const PresetEntry* current() const;
    [[nodiscard]] bool isOwn(const PresetEntry& entry) const;

    PresetPlaces m_places;
    core::Preset m_draft;
    std::vector<PresetEntry> m_entries;  // of the items, by their number
    int m_busy = 0;

    QLineEdit* m_search = nullptr;
    QTreeWidget* m_tree = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_about = nullptr;
    QLabel* m_problem = nullptr;
    QLineEdit* m_name = nullptr;
    QLineEdit* m_description = nullptr;
    QPushButton* m_save = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_delete = nullptr;
};

}  // namespace qs::widgets
