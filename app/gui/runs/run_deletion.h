#pragma once

#include <QObject>
#include <QString>

#include <filesystem>
#include <utility>
#include <vector>

class QWidget;

namespace qs::app {

// Removes folders of runs for good, once the user has agreed.
class RunDeletion final : public QObject
{
    Q_OBJECT

public:
    struct Run {
        QString name;
        std::filesystem::path folder;
    };

    // `window` must outlive the object.
    explicit RunDeletion(QWidget& window) : m_window(window) {}

    void ask(const std::vector<Run>& runs);
    // Folders are being removed.
    [[nodiscard]] bool isBusy() const { return m_busy > 0; }

Q_SIGNALS:
    void deleted(const QString& folder);
    // What was kept, with the reasons; empty: nothing.
    void finished(const QString& problem);

private:
    // What became of each folder: empty, or why it stays.
    using Outcome = std::vector<std::pair<std::filesystem::path, QString>>;

    [[nodiscard]] static Outcome removeAll(const std::vector<Run>& runs);
    void remove(const std::vector<Run>& runs);

    QWidget& m_window;
    int m_busy = 0;
};

}  // namespace qs::app
