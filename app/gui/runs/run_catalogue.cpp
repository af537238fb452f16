#include "app/gui/runs/run_catalogue.h"

#include "app/gui/path_text.h"
#include "core/record/journal/journal_place.h"
#include "widgets/background/in_background.h"
#include "widgets/models/plain_tip.h"

#include <QFileInfo>
#include <QFont>

#include <algorithm>
#include <system_error>
#include <utility>

namespace qs::app {

namespace fs = std::filesystem;

namespace {

RunColumn columnOf(int column)
{
    return static_cast<RunColumn>(column);
}

// The disk is asked of folders with that name alone.
bool isSameRun(const fs::path& a, const fs::path& b)
{
    return a.filename() == b.filename() && isSamePlace(a, b);
}

// How the name of an example is written. A word in front of it would take the room that tells them
// apart.
QFont slanted()
{
    QFont font;
    font.setItalic(true);
    return font;
}

// Before it is read, a run is called as its folder.
RunSummary waitingRun(const fs::path& folder, bool example)
{
    RunSummary run;
    run.folder = folder;
    run.name = textOf(folder.filename());
    run.example = example;
    run.waiting = true;
    // Examples lie where they were unpacked.
    if (!example)
        run.created = QFileInfo(textOf(folder / "plan.json")).lastModified();
    return run;
}

}  // namespace

RunCatalogue::RunCatalogue(fs::path runs, fs::path examples, QObject* parent)
    : QAbstractTableModel(parent), m_runsFolder(std::move(runs)), m_examples(std::move(examples))
{
    m_labels.setMaxThreadCount(1);
}

void RunCatalogue::refresh()
{
    if (m_reading) {
        m_again = true;
        return;
    }
    m_reading = true;
    m_again = false;
    m_relabelled.clear();
    Q_EMIT readingChanged();
    widgets::inBackground(
        m_labels, this,
        [runs = m_runsFolder, examples = m_examples] { return listFolders(runs, examples); },
        [this](List found) { accept(std::move(found)); });
}

RunCatalogue::List RunCatalogue::listFolders(const fs::path& runs, const fs::path& examples)
{
    List list;
    const auto add = [&](const fs::path& folder, bool example) {
        std::error_code ignored;
        const fs::path journal = core::journalPlace(folder).path();
        Known known{.summary = waitingRun(folder, example),
                    .journalBytes = fs::file_size(journal, ignored),
                    .journalTime = fs::last_write_time(journal, ignored)};
        if (auto label = core::readRunLabel(folder); label.ok())
            known.summary.label = std::move(label).value();
        else
            known.summary.labelProblem = QString::fromStdString(label.error().message);
        list.push_back(std::move(known));
    };
    for (const fs::path& folder : findRunFolders(runs))
        add(folder, false);
    for (const fs::path& folder : findRunFolders(examples))
        add(folder, true);
    return list;
}

void RunCatalogue::accept(List found)
{
    const bool same = std::equal(
        found.begin(), found.end(), m_runs.begin(), m_runs.end(),
        [](const Known& a, const Known& b) { return a.summary.folder == b.summary.folder; });
    for (Known& each : found) {
        const auto before = std::find_if(m_runs.begin(), m_runs.end(), [&](const Known& known) {
            return known.summary.folder == each.summary.folder;
        });
        if (before == m_runs.end())
            continue;
        const core::RunLabel label =
            m_relabelled.contains(each.summary.folder) ? before->summary.label : each.summary.label;
        const QString problem = each.summary.labelProblem;
        each.stale = before->stale || before->journalBytes != each.journalBytes ||
                     before->journalTime != each.journalTime;
        // What was known of it is shown until it has been read again.
        each.summary = before->summary;
        each.summary.label = label;
        each.summary.labelProblem = problem;
    }
    if (same) {
        m_runs = std::move(found);
        for (int row = 0; row < rowCount(); ++row)
            tellRow(row);
    } else {
        beginResetModel();
        m_runs = std::move(found);
        endResetModel();
    }
    readNext();
}

void RunCatalogue::readNext()
{
    const auto next =
        std::find_if(m_runs.begin(), m_runs.end(), [](const Known& known) { return known.stale; });
    if (m_again || next == m_runs.end()) {
        m_reading = false;
        if (m_again)
            refresh();
        else
            Q_EMIT readingChanged();
        return;
    }
    // The list changes only when nothing is read.
    const auto row = static_cast<std::size_t>(next - m_runs.begin());
    widgets::inBackground(
        this,
        [folder = next->summary.folder, example = next->summary.example] {
            return summarizeRun(folder, example);
        },
        [this, row](RunSummary summary) {
            show(row, std::move(summary));
            readNext();
        });
}

void RunCatalogue::show(std::size_t row, RunSummary summary)
{
    Known& known = m_runs[row];
    summary.folder = known.summary.folder;
    summary.created = known.summary.created;
    summary.label = known.summary.label;
    summary.labelProblem = known.summary.labelProblem;
    known.summary = std::move(summary);
    known.stale = false;
    tellRow(static_cast<int>(row));
}

void RunCatalogue::tellRow(int row)
{
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

int RunCatalogue::rowOf(const QString& folder) const
{
    const auto found = std::find_if(m_runs.begin(), m_runs.end(), [&](const Known& known) {
        return textOf(known.summary.folder) == folder;
    });
    return found == m_runs.end() ? -1 : static_cast<int>(found - m_runs.begin());
}

void RunCatalogue::setRunning(const fs::path& folder)
{
    if (std::exchange(m_running, folder) == folder)
        return;
    for (int row = 0; row < rowCount(); ++row)
        tellRow(row);
}

bool RunCatalogue::isRunning(int row) const
{
    return isSameRun(run(row).folder, m_running);
}

bool RunCatalogue::isResumable(int row) const
{
    return m_running.empty() && run(row).isResumable();
}

bool RunCatalogue::hasNamesake(int row) const
{
    const RunSummary& one = run(row);
    return std::any_of(m_runs.begin(), m_runs.end(), [&](const Known& known) {
        const RunSummary& other = known.summary;
        return &other != &one && other.example == one.example && other.name == one.name &&
               other.label.name == one.label.name;
    });
}

void RunCatalogue::setLabel(int row, const core::RunLabel& label)
{
    RunSummary& run = m_runs.at(static_cast<std::size_t>(row)).summary;
    const core::RunLabel tidy = core::tidied(label);
    if (!isLabelled(row) || tidy == run.label)
        return;
    run.label = tidy;
    m_relabelled.insert(run.folder);
    tellRow(row);
    widgets::inBackground(
        m_labels, this, [folder = run.folder, tidy] { return core::writeRunLabel(folder, tidy); },
        [this, folder = run.folder](const core::Status& written) {
            if (written.ok()) {
                Q_EMIT labelled(textOf(folder));
                return;
            }
            refresh();
            Q_EMIT labelFailed(QString::fromStdString(written.error().message));
        });
}

int RunCatalogue::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunCatalogue::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunCatalogue::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const int row = index.row();
    const RunSummary& each = run(row);
    const RunColumn column = columnOf(index.column());
    const auto activity = [&] { return isRunning(row) ? RunActivity::Running : RunActivity::Idle; };
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return runText(each, column, activity());
    case Qt::FontRole:
        return column == RunColumn::Name && each.example ? slanted() : QVariant();
    case Qt::AccessibleTextRole:
        return column == RunColumn::Name ? runSpokenName(each) : QVariant();
    case Qt::ToolTipRole:
        return widgets::plainTip(runTip(each, column, activity()));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    case SortRole:
        return runSortValue(each, column);
    case SeverityRole:
        return static_cast<int>(runSeverity(each, column));
    case VerdictToneRole:
        return static_cast<int>(column == RunColumn::SpeedUp ? each.best.tone
                                                             : widgets::VerdictTone::None);
    case FolderRole:
        return textOf(each.folder);
    case SearchRole:
        return runSearchText(each);
    case ResumableRole:
        return isResumable(row);
    case TellingDateRole:
        return hasNamesake(row) ? runDateMark(each) : QString();
    default:
        return {};
    }
}

bool RunCatalogue::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable))
        return false;
    core::RunLabel label = run(index.row()).label;
    const QString text = value.toString().trimmed();
    if (index.column() == Tags)
        label.tags = {text.toStdString()};
    // Whoever leaves the name of the preset as it was has given none.
    else if (text != run(index.row()).shownName())
        label.name = text == run(index.row()).name ? std::string() : text.toStdString();
    setLabel(index.row(), label);
    return true;
}

Qt::ItemFlags RunCatalogue::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    const Qt::ItemFlags usual = QAbstractTableModel::flags(index) | Qt::ItemNeverHasChildren;
    const bool edited =
        (index.column() == Name || index.column() == Tags) && isLabelled(index.row());
    return edited ? usual | Qt::ItemIsEditable : usual;
}

QVariant RunCatalogue::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return runColumnTitle(columnOf(section));
    if (role == Qt::ToolTipRole)
        return runColumnTip(columnOf(section));
    return {};
}

}  // namespace qs::app

#include "moc_run_catalogue.cpp"
