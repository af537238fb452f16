#pragma once

#include <QDialog>
#include <QStringList>

class QLabel;
class QModelIndex;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace qs::app {

class RunCatalogue;

// Which runs are laid beside the one in view: those that are known, or any other folder.
class CompareRunsDialog final : public QDialog
{
    Q_OBJECT

public:
    // `checked` are compared already. `catalogue` knows more of some than their folder; it must
    // outlive the dialog.
    CompareRunsDialog(const QStringList& folders, const QStringList& checked,
                      const RunCatalogue& catalogue, QWidget* parent = nullptr);

    // Those that are not listed yet; what is known of the others is shown.
    void addRuns(const QStringList& folders);

Q_SIGNALS:
    // Not emitted when the user thinks better of it. None: they are to be taken away.
    void chosen(const QStringList& folders);

private:
    void build();
    void add(const QString& folder, bool checked);
    void describe(QTreeWidgetItem& item) const;
    // Rows of the catalogue.
    void describeRows(const QModelIndex& first, const QModelIndex& last);
    void sortOnceRead();
    void fitColumns();
    void askForFolder();
    void update();
    void finish();
    [[nodiscard]] QStringList checkedRuns() const;

    const RunCatalogue& m_catalogue;
    QStringList m_checked;  // at the beginning
    QTreeWidget* m_list = nullptr;
    QLabel* m_hint = nullptr;
    QPushButton* m_compare = nullptr;
};

}  // namespace qs::app
