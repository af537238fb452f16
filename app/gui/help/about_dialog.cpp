#include "app/gui/help/about_dialog.h"

#include "app/gui/engine_probe.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSysInfo>
#include <QVBoxLayout>

namespace qs::app {

namespace {

QString orUnknown(const QString& text)
{
    return text.isEmpty() ? AboutDialog::tr("not known") : text;
}

QString torchText(const widgets::EngineState& engine)
{
    using Kind = widgets::EngineState::Kind;
    switch (engine.kind) {
    case Kind::Looking:
    case Kind::Missing:
        return orUnknown(engine.problem.section(QLatin1Char('\n'), 0, 0));
    case Kind::Ready:
        break;
    }
    QStringList parts = {QString::fromStdString(engine.facts.torch)};
    if (!engine.facts.cuda.empty())
        parts << AboutDialog::tr("CUDA %1").arg(QString::fromStdString(engine.facts.cuda));
    if (!engine.facts.cudnn.empty())
        parts << AboutDialog::tr("cuDNN %1").arg(QString::fromStdString(engine.facts.cudnn));
    return orUnknown(parts.join(QStringLiteral(", ")));
}

QString deviceNames(const widgets::EngineState& engine)
{
    QStringList names;
    for (const core::DeviceDescription& device : engine.devices)
        names << QStringLiteral("%1 (%2)").arg(QString::fromStdString(device.name),
                                               QString::fromStdString(device.id));
    return names.join(QStringLiteral(", "));
}

AboutFacts factsOf(const EngineProbe& engine, const QString& commit)
{
    return {.version = QCoreApplication::applicationVersion(),
            .commit = commit,
            .engine = engine.state()};
}

}  // namespace

std::vector<AboutLine> aboutLines(const AboutFacts& facts)
{
    return {{"version", AboutDialog::tr("QuantScope"), orUnknown(facts.version)},
            {"commit", AboutDialog::tr("Commit"), orUnknown(facts.commit)},
            {"qt", AboutDialog::tr("Qt"),
             QStringLiteral("%1, %2").arg(QString::fromLatin1(qVersion()),
                                          QGuiApplication::platformName())},
            {"torch", AboutDialog::tr("PyTorch"), torchText(facts.engine)},
            {"engineCommit", AboutDialog::tr("Commit of the engine"),
             orUnknown(QString::fromStdString(facts.engine.facts.commit))},
            {"system", AboutDialog::tr("System"),
             QStringLiteral("%1, %2 %3, %4")
                 .arg(QSysInfo::prettyProductName(), QSysInfo::kernelType(),
                      QSysInfo::kernelVersion(), QSysInfo::currentCpuArchitecture())},
            {"devices", AboutDialog::tr("Devices"), orUnknown(deviceNames(facts.engine))}};
}

AboutDialog::AboutDialog(const AboutFacts& facts, QWidget* parent)
    : QDialog(parent), m_copied(new QLabel(this))
{
    setObjectName(QStringLiteral("aboutDialog"));
    setWindowTitle(tr("About QuantScope"));
    auto* column = new QVBoxLayout(this);
    addRows(aboutLines(facts));
    column->addStretch(1);
    m_copied->setObjectName(QStringLiteral("aboutCopied"));
    m_copied->setTextFormat(Qt::PlainText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* copies = buttons->addButton(tr("Copy for a &bug report"), QDialogButtonBox::ActionRole);
    copies->setObjectName(QStringLiteral("aboutCopy"));
    copies->setToolTip(tr("Copy these lines as text"));
    connect(copies, &QPushButton::clicked, this, &AboutDialog::copy);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(m_copied);
    column->addWidget(buttons);
    setFacts(facts);
    const int wide = fontMetrics().averageCharWidth() * 100;
    resize(wide, column->totalHeightForWidth(wide));
}

void AboutDialog::addRows(const std::vector<AboutLine>& lines)
{
    auto* rows = new QFormLayout;
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const AboutLine& line : lines) {
        auto* value = new QLabel(this);
        value->setObjectName(QStringLiteral("about_%1").arg(QLatin1String(line.id)));
        value->setTextFormat(Qt::PlainText);
        value->setWordWrap(true);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        rows->addRow(line.name, value);
        m_values.push_back(value);
    }
    static_cast<QVBoxLayout*>(layout())->addLayout(rows);
}

void AboutDialog::setFacts(const AboutFacts& facts)
{
    m_facts = facts;
    const std::vector<AboutLine> lines = aboutLines(facts);
    for (std::size_t i = 0; i < lines.size(); ++i)
        m_values[i]->setText(lines[i].value);
}

void AboutDialog::copy()
{
    QString text;
    for (const AboutLine& line : aboutLines(m_facts))
        text += QStringLiteral("%1: %2\n").arg(line.name, line.value);
    QApplication::clipboard()->setText(text);
    m_copied->setText(tr("Copied."));
}

void showAbout(const EngineProbe& engine, const QString& commit, QWidget& window)
{
    auto* about = new AboutDialog(factsOf(engine, commit), &window);
    about->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(&engine, &EngineProbe::stateChanged, about,
                     [about, &engine, commit] { about->setFacts(factsOf(engine, commit)); });
    about->open();
}

}  // namespace qs::app

#include "moc_about_dialog.cpp"
