#pragma once

#include <QObject>

#include <filesystem>

namespace qs::app {

// F1 in modal dialogs, which the shortcuts of the window do not reach: opens help over the dialog,
// at the page of its subject.
class DialogHelp final : public QObject
{
    Q_OBJECT

public:
    // `folder`: of the pages.
    explicit DialogHelp(std::filesystem::path folder, QObject* parent = nullptr);

    // Of the whole program.
    [[nodiscard]] bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(QWidget& dialog) const;

    std::filesystem::path m_folder;
};

}  // namespace qs::app
