#include "widgets/environments/environment_dialog.h"

#include "core/record/environment_file.h"
#include "widgets/layout/screen_room.h"
#include "widgets/models/number_text.h"
#include "widgets/models/plain_tip.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <map>
#include <string>

namespace qs::widgets {

namespace {

constexpr QSize kUsualSize{880, 520};

QString nameOf(const QString& folder)
{
    return QFileInfo(folder).fileName();
}

}  // namespace

EnvironmentDialog::EnvironmentDialog(RunStore& store, const QStringList& otherRuns, QWidget* parent)
    : QDialog(parent),
      m_store(store),
      m_others(new QComboBox),
      m_sentence(new QLabel),
      m_table(new EnvironmentTable)
{
    setObjectName(QStringLiteral("environmentDialog"));
    setWindowTitle(tr("Where the rows were measured"));
    m_sentence->setObjectName(QStringLiteral("environmentSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* label = new QLabel(tr("Compare &with:"));
    label->setBuddy(m_others);
    fillChooser(otherRuns);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(m_others, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addLayout(row);
    column->addWidget(m_sentence);
    column->addWidget(m_table, 1);
    column->addWidget(buttons);
    m_table->setFocus();
    connect(&store, &RunStore::runReplaced, this, &EnvironmentDialog::showRun);
    resizeWithinScreen(*this, kUsualSize);
    showRun();
}

void EnvironmentDialog::fillChooser(const QStringList& otherRuns)
{
    m_others->setObjectName(QStringLiteral("otherRuns"));
    m_others->setAccessibleName(tr("Run to compare with"));
    m_others->setToolTip(tr("Another run whose environments are shown next to those of this run"));
    m_others->addItem(tr("no other run"));
    const QString own = QString::fromStdString(m_store.data().folder.string());
    for (const QString& folder : otherRuns) {
        if (QFileInfo(folder) == QFileInfo(own))
            continue;
        m_others->addItem(nameOf(folder), folder);
        m_others->setItemData(m_others->count() - 1, plainTip(folder), Qt::ToolTipRole);
    }
    connect(m_others, &QComboBox::currentIndexChanged, this,
            [this] { compareWith(m_others->currentData().toString()); });
}

void EnvironmentDialog::compareWith(const QString& folder)
{
    m_other.clear();
    m_problem.clear();
    m_otherEnvironments.clear();
    m_task.drop();
    if (folder.isEmpty())
        return showRun();
    const auto file = core::FilePlace::inside(folder.toStdString(), "environment.json");
    m_task.start(
        this,
        [file](const auto& /*wanted*/) {
            return std::make_shared<core::Result<std::vector<core::Environment>>>(
                core::readEnvironments(file));
        },
        [this, folder](const Read& read) { receive(folder, read); });
    showRun();
}

void EnvironmentDialog::receive(const QString& folder, const Read& read)
{
    if (read == nullptr)
        m_problem = tr("Not enough memory to read %1.").arg(folder);
    else if (!read->ok())
        m_problem = tr("The environments of %1 cannot be read: %2")
                        .arg(nameOf(folder), QString::fromStdString(read->error().message));
    else
        m_otherEnvironments = read->value();
    if (m_problem.isEmpty())
        m_other = nameOf(folder);
    showRun();
}

std::vector<EnvironmentColumn> EnvironmentDialog::ownColumns() const
{
    const core::RunData& data = m_store.data();
    std::map<std::string, int> rows;
    for (const core::Measurement& row : data.measurements)
        ++rows[row.environmentId];
    std::vector<EnvironmentColumn> columns;
    for (const core::Environment& environment : data.environments) {
        const auto found = rows.find(environment.id());
        const int measured = found == rows.end() ? 0 : found->second;
        const QString count = countedText(measured, tr("1 row"), tr("%1 rows"));
        const QString name = data.environments.size() > 1
                                 ? tr("This run, %1").arg(columns.size() + 1)
                                 : tr("This run");
        columns.push_back(
            {.title = QStringLiteral("%1 · %2").arg(name, count),
             .toolTip =
                 tr("Environment %1").arg(QString::fromStdString(environment.id().substr(0, 12))),
             .environment = environment});
    }
    return columns;
}

QString EnvironmentDialog::sentence(std::size_t own) const
{
    if (!m_problem.isEmpty())
        return m_problem;
    if (m_store.isEmpty())
        return tr("Open a run to see where it was measured.");
    if (own == 0)
        return tr("This run has no record of where it was measured.");
    const QString never = tr("Rows of different environments are never combined in a ratio: any of "
                             "these differences may explain a difference between them.");
    const QString count = tr("%1 of %2").arg(m_table->differing()).arg(m_table->fields());
    if (!m_other.isEmpty()) {
        if (m_otherEnvironments.empty())
            return tr("%1 has no record of where it was measured.").arg(m_other);
        return m_table->differing() == 0
                   ? tr("This run and %1 have equal environments.").arg(m_other)
                   : tr("This run and %1 differ in %2 fields. %3").arg(m_other, count, never);
    }
    if (own == 1)
        return tr("All rows come from one environment.");
    return tr("The rows come from %1 environments that differ in %2 fields. %3")
        .arg(own)
        .arg(count, never);
}

void EnvironmentDialog::showRun()
{
    std::vector<EnvironmentColumn> columns = ownColumns();
    const std::size_t own = columns.size();
    for (std::size_t i = 0; i < m_otherEnvironments.size(); ++i) {
        const core::Environment& environment = m_otherEnvironments[i];
        columns.push_back(
            {.title =
                 m_otherEnvironments.size() > 1 ? tr("%1, %2").arg(m_other).arg(i + 1) : m_other,
             .toolTip =
                 tr("Environment %1").arg(QString::fromStdString(environment.id().substr(0, 12))),
             .environment = environment});
    }
    m_table->showColumns(columns);
    m_sentence->setText(sentence(own));
}

}  // namespace qs::widgets

#include "moc_environment_dialog.cpp"
