#include "app/gui/window/path_agreement.h"

#include "core/base/clean_text.h"
#include "widgets/background/in_background.h"
#include "widgets/layout/plain_box.h"

#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace qs::app {

PathAgreement::PathAgreement(const widgets::RunStore& store, const RunController& controller,
                             Messages& messages, QWidget& window, std::filesystem::path trustFile)
    : m_store(store),
      m_controller(controller),
      m_messages(messages),
      m_window(window),
      m_trustFile(std::move(trustFile))
{
}

void PathAgreement::ask(const std::filesystem::path& folder, const GoOn& goOn)
{
    // The session looks again; of the run in view the plan is here, and most name no paths.
    if (folder == m_store.data().folder && core::outsidePaths(m_store.data().plan).empty()) {
        goOn({});
        return;
    }
    using Paths = std::shared_ptr<core::Result<std::vector<std::string>>>;
    ++m_reading;
    widgets::inBackground(
        this,
        [folder, trust = core::PathTrust(m_trustFile)] {
            return std::make_shared<core::Result<std::vector<std::string>>>(
                core::pathsToAgree(folder, trust));
        },
        [this, goOn](const Paths& paths) {
            --m_reading;
            if (m_controller.isRunning())
                return;
            if (paths == nullptr || !paths->ok())
                m_messages.showProblem(tr("Cannot resume the run"),
                                       paths == nullptr
                                           ? tr("Not enough memory.")
                                           : QString::fromStdString(paths->error().message));
            else if (paths->value().empty())
                goOn({});
            else
                askToTrust(paths->value(), goOn);
        });
}

void PathAgreement::askToTrust(const std::vector<std::string>& paths, const GoOn& goOn)
{
    constexpr std::size_t kMostShown = 12;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(paths.size(), kMostShown); ++i)
        lines << QString::fromStdString(core::cleanLine(paths[i]));
    if (paths.size() > kMostShown)
        lines << tr("and %1 more").arg(QLocale().toString(qulonglong{paths.size() - kMostShown}));
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Files read by a run"),
                                tr("This run was started by another user or on another computer, "
                                   "and its plan reads files outside its folder:"),
                                QMessageBox::Cancel, &m_window);
    box->setObjectName(QStringLiteral("trustQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(lines.join(QLatin1Char('\n')));
    QPushButton* yes = box->addButton(tr("&Allow"), QMessageBox::AcceptRole);
    yes->setObjectName(QStringLiteral("trustYes"));
    box->setDefaultButton(QMessageBox::Cancel);
    widgets::showPlainly(*box);
    connect(yes, &QPushButton::clicked, this, [this, paths, goOn] {
        if (!m_controller.isRunning())
            goOn(paths);
    });
    box->open();
}

}  // namespace qs::app
