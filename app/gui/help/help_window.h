#pragma once

#include <QDialog>

#include <filesystem>

class QListWidget;
class QTextBrowser;

namespace qs::app {

// The help pages: Markdown files of one folder, a page per view. The first line of a page,
// "# Title", is its title in the list.
class HelpWindow final : public QDialog
{
    Q_OBJECT

public:
    explicit HelpWindow(const std::filesystem::path& folder, QWidget* parent = nullptr);

    // A page by the name of its file without ".md"; the first page if there is none of that name.
    void showPage(const QString& name);
    [[nodiscard]] QString currentPage() const;

    // Marks a widget, and all that is in it, as explained by this page.
    static void setPageOf(QWidget& widget, const QString& name);
    // The page of the nearest marked ancestor; empty if there is none.
    [[nodiscard]] static QString pageOf(const QWidget* widget);

private:
    void fillList();
    void showRow(int row);

    QString m_folder;
    QListWidget* m_list = nullptr;
    QTextBrowser* m_text = nullptr;
};

}  // namespace qs::app
