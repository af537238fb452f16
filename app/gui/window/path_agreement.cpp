#include "app/gui/window/path_agreement.h"

#include "core/base/clean_text.h"
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
      m_window(window),
      m_trustFile(std::move(trustFile)),
      m_reading(*this, controller, messages)
{
}

void PathAgreement::ask(const std::filesystem::path& folder, const GoOn& goOn)
{
    // The session looks again; of the run in view the plan is here, and most name no paths.
    if (folder == m_store.data().folder && core::outsidePaths(m_store.data().plan).empty()) {
        goOn({});
        return;
    }
    m_reading.start([folder, trust = core::PathTrust(
                                 m_trustFile)] { return core::pathsToAgree(folder, trust); },
                    [this, goOn](const std::vector<std::string>& paths) {
                        if (paths.empty())
                            goOn({});
                        else
                            askToTrust(paths, goOn);
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

#include "moc_path_agreement.cpp"
