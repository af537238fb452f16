#include "app/gui/runs/run_catalogue.h"

#include "widgets/background/in_background.h"
#include "widgets/models/plain_tip.h"

#include <QLocale>

#include <algorithm>
#include <system_error>
#include <utility>

namespace qs::app {

namespace {

namespace fs = std::filesystem;

}  // namespace

RunCatalogue::RunCatalogue(fs::path runs, fs::path examples, QObject* parent)
    : QAbstractTableModel(parent),
      m_runsFolder(std::move(runs)),
      m_examples(std::move(examples)),
      m_cancelled(std::make_shared<std::atomic<bool>>(false))
{
}

RunCatalogue::~RunCatalogue()
{
    *m_cancelled = true;
}

void RunCatalogue::refresh()
{
    if (m_reading) {
        m_again = true;
        return;
    }
    m_reading = true;
    Q_EMIT readingChanged();
    widgets::inBackground(
        this,
        [runs = m_runsFolder, examples = m_examples, known = m_runs, cancelled = m_cancelled] {
            return readAll(runs, examples, known, cancelled);
        },
        [this](const List& runs) {
            beginResetModel();
            m_runs = runs;
            endResetModel();
            m_reading = false;
            Q_EMIT readingChanged();
            if (std::exchange(m_again, false))
                refresh();
        });
}

RunCatalogue::List RunCatalogue::readAll(const fs::path& runs, const fs::path& examples,
                                         const List& known,
                                         const std::shared_ptr<std::atomic<bool>>& cancelled)
{
    List list;
    const auto add = [&](const fs::path& folder, bool example) {
        if (*cancelled)
            return;
        std::error_code ignored;
        const fs::path journal = folder / "journal.jsonl";
        const std::uintmax_t bytes = fs::file_size(journal, ignored);
        const fs::file_time_type time = fs::last_write_time(journal, ignored);
        const auto same = std::find_if(known.begin(), known.end(), [&](const Known& each) {
            return each.summary.folder == folder && each.journalBytes == bytes &&
                   each.journalTime == time;
        });
        list.push_back(same != known.end() ? *same
                                           : Known{summarizeRun(folder, example), bytes, time});
    };
    for (const fs::path& folder : findRunFolders(runs))
        add(folder, false);
    for (const fs::path& folder : findRunFolders(examples))
        add(folder, true);
    return list;
}

int RunCatalogue::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunCatalogue::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString RunCatalogue::text(const RunSummary& run, int column) const
{
    const QLocale locale;
    switch (column) {
    case Name:
        return run.example ? tr("Example: %1").arg(run.name) : run.name;
    case Started:
        return run.started.isValid()
                   ? locale.toString(run.started.toLocalTime(), QLocale::ShortFormat)
                   : QString();
    case Model:
        return run.model;
    case Device:
        return run.device;
    case Cells:
        return run.problem.isEmpty() ? (run.damaged ? tr("%1 of %2, damaged") : tr("%1 of %2"))
                                           .arg(locale.toString(run.cellsMeasured),
                                                locale.toString(run.cellsPossible))
                                     : QString();
    case Answer:
        return run.problem.isEmpty() ? run.answer : tr("cannot be read");
    default:
        return {};
    }
}

QVariant RunCatalogue::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const RunSummary& each = run(index.row());
    if (role == Qt::DisplayRole)
        return text(each, index.column());
    if (role == Qt::ToolTipRole) {
        const QString folder = QString::fromStdString(each.folder.string());
        if (!each.problem.isEmpty())
            return widgets::plainTip(tr("%1\n%2").arg(folder, each.problem));
        if (index.column() == Cells && each.damaged)
            return tr("Part of its journal is unreadable. The command \"quantscope-cli repair\" "
                      "makes a copy that can be resumed.");
        if (index.column() == Cells && !each.complete)
            return tr("Incomplete: this run can be resumed.");
        return widgets::plainTip(index.column() == Name ? folder : text(each, index.column()));
    }
    return {};
}

QVariant RunCatalogue::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Run");
    case Started:
        return tr("Started");
    case Model:
        return tr("Model");
    case Device:
        return tr("Device");
    case Cells:
        return tr("Cells measured");
    case Answer:
        return tr("Answer");
    default:
        return {};
    }
}

}  // namespace qs::app
