#include "app/gui/window/program_agreement.h"

#include "core/base/clean_text.h"
#include "core/base/sandbox.h"
#include "core/report/words/program_text.h"
#include "widgets/layout/plain_box.h"

#include <QCheckBox>
#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace qs::app {

ProgramAgreement::ProgramAgreement(const widgets::RunStore& store, const RunController& controller,
                                   Messages& messages, QWidget& window,
                                   std::filesystem::path trustFile)
    : m_store(store),
      m_messages(messages),
      m_window(window),
      m_trust(std::move(trustFile)),
      m_reading(*this, controller, messages)
{
}

void ProgramAgreement::ask(const core::Plan& plan, const GoOn& goOn)
{
    askFor(core::programsToTrust(plan, m_trust), goOn);
}

void ProgramAgreement::ask(const std::filesystem::path& folder, const GoOn& goOn)
{
    if (folder == m_store.data().folder) {
        ask(m_store.data().plan, goOn);
        return;
    }
    m_reading.start([folder, trust = m_trust] { return core::programsToTrust(folder, trust); },
                    [this, goOn](const std::vector<core::TrustedProgram>& programs) {
                        askFor(programs, goOn);
                    });
}

void ProgramAgreement::askFor(const std::vector<core::TrustedProgram>& programs, const GoOn& goOn)
{
    if (programs.empty()) {
        goOn();
        return;
    }
    QStringList lines;
    for (const core::TrustedProgram& each : programs)
        lines << QString::fromStdString(core::cleanLine(each.name))
              << QStringLiteral("SHA-256 ") + QString::fromStdString(each.sha256);
    const QString meaning = QString::fromStdString(
        core::runningMeansText(core::ProgramKind::Package, core::sandboxLimits()));
    auto* box =
        new QMessageBox(QMessageBox::Warning, tr("Compiled programs"),
                        tr("This sweep runs compiled programs:"), QMessageBox::Cancel, &m_window);
    box->setObjectName(QStringLiteral("programQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(lines.join(QLatin1Char('\n')) + QStringLiteral("\n\n") + meaning);
    auto* remember = new QCheckBox(tr("Do not &ask again for these files"), box);
    remember->setObjectName(QStringLiteral("programRemember"));
    box->setCheckBox(remember);
    QPushButton* yes = box->addButton(tr("&Trust and run"), QMessageBox::AcceptRole);
    yes->setObjectName(QStringLiteral("programYes"));
    box->setDefaultButton(QMessageBox::Cancel);
    widgets::showPlainly(*box);
    connect(yes, &QPushButton::clicked, this, [this, programs, remember, goOn] {
        agree(programs, remember->isChecked());
        goOn();
    });
    box->open();
}

void ProgramAgreement::agree(const std::vector<core::TrustedProgram>& programs, bool remember)
{
    for (const core::TrustedProgram& each : programs) {
        m_trust.agree(each.sha256);
        if (!remember)
            continue;
        const std::string name = std::filesystem::path(each.name).filename().string();
        if (const core::Status kept = m_trust.remember({each.sha256, name}); !kept.ok())
            m_messages.notify(QString::fromStdString(kept.error().message));
    }
}

}  // namespace qs::app

#include "moc_program_agreement.cpp"
