#include "app/gui/answer_why.h"

#include "app/gui/answer_reason.h"
#include "core/report/words/claim_text.h"
#include "widgets/layout/roomy_rows.h"
#include "widgets/layout/screen_room.h"
#include "widgets/models/number_text.h"
#include "widgets/models/plain_tip.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <map>
#include <vector>

namespace qs::app {

namespace {

enum WhyColumn { Cell, Value, Beside, Reason, WhyColumns };

QString besideText(const core::AnswerCandidate& candidate)
{
    if (!candidate.besideBest)
        return {};
    const QString ratio =
        QStringLiteral("%1×").arg(widgets::significantText(candidate.besideBest->value, 3));
    const auto& interval = candidate.besideBest->interval;
    return interval ? QStringLiteral("%1 [%2, %3]")
                          .arg(ratio, widgets::significantText(interval->lower, 3),
                               widgets::significantText(interval->upper, 3))
                    : ratio;
}

}  // namespace

AnswerWhy::AnswerWhy(widgets::RunStore& store, QWidget* parent)
    : QDialog(parent), m_store(store), m_text(new QLabel), m_cells(new QTreeWidget)
{
    setObjectName(QStringLiteral("answerWhyWindow"));
    setWindowTitle(tr("Why this answer"));
    m_text->setObjectName(QStringLiteral("answerWhyText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_cells->setObjectName(QStringLiteral("answerWhyCells"));
    m_cells->setAccessibleName(tr("Candidates"));
    m_cells->setColumnCount(WhyColumns);
    m_cells->setHeaderLabels({tr("Cell"), tr("Value"), tr("Relative to the answer"), tr("Why")});
    m_cells->headerItem()->setToolTip(Beside, tr("1 is as good as the answer, below 1 is worse; "
                                                 "brackets hold the 95 % interval over repeats"));
    m_cells->setUniformRowHeights(true);
    m_cells->setItemDelegate(new widgets::RoomyRows(m_cells));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_text);
    layout->addWidget(m_cells, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_cells, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        const QString id = item == nullptr ? QString() : item->data(Cell, Qt::UserRole).toString();
        if (!id.isEmpty())
            m_store.selectCell(id);
    });
    const int letter = fontMetrics().averageCharWidth();
    widgets::resizeWithinScreen(*this, {letter * 130, letter * 64});
}

void AnswerWhy::showAnswer(const Answer& answer, const core::AnswerQuestion& question,
                           const QString& inWords)
{
    const QSignalBlocker quiet(m_cells);
    m_cells->clear();
    const core::RunAnswer& found = answer.found;
    m_text->setText(
        QStringLiteral("%1\n%2\n%3").arg(inWords, answer.headline, answer.explanation).trimmed());
    std::map<QString, std::vector<const core::AnswerCandidate*>> groups;
    std::vector<QString> order;
    for (std::size_t i = 0; i < found.candidates.size(); ++i) {
        const core::AnswerCandidate& candidate = found.candidates[i];
        const QString title = i == 0 && found.eligible > 0 ? tr("The answer")
                              : candidate.tied             ? tr("Tied with the answer")
                                                           : candidacyText(candidate.candidacy);
        auto& group = groups[title];
        if (group.empty())
            order.push_back(title);
        group.push_back(&candidate);
    }
    for (const QString& title : order) {
        const auto& group = groups.at(title);
        QTreeWidgetItem* item = addGroup(title, group.size());
        for (std::size_t i = 0; i < group.size() && i < kMostShown; ++i)
            addCell(*item, *group[i], question);
        if (group.size() > kMostShown)
            new QTreeWidgetItem(
                item,
                {tr("… %1 more; see the table")
                     .arg(QLocale().toString(static_cast<qulonglong>(group.size() - kMostShown)))});
        item->setExpanded(true);
    }
    addClaims();
    // The reason has the rest, and a tooltip.
    for (int column = 0; column < Reason; ++column)
        m_cells->resizeColumnToContents(column);
}

void AnswerWhy::addClaims()
{
    const core::Analysis& analysis = m_store.analysis();
    if (analysis.claims.empty())
        return;
    QTreeWidgetItem* group = addGroup(tr("Claims of the preset"), analysis.claims.size());
    for (const core::ClaimOutcome& outcome : analysis.claims) {
        auto* item = new QTreeWidgetItem(group);
        const auto put = [&](int column, const std::string& text) {
            item->setText(column, QString::fromStdString(text));
            item->setToolTip(column, widgets::plainTip(QString::fromStdString(text)));
        };
        put(Cell, outcome.claim.text);
        put(Value, std::string(core::claimResultText(outcome.result)));
        put(Reason, core::claimExpectationText(outcome.claim) + " – " +
                        core::claimMeasuredText(outcome, analysis));
        if (!outcome.claim.source.empty())
            item->setToolTip(Cell, widgets::plainTip(QStringLiteral("%1\n%2").arg(
                                       QString::fromStdString(outcome.claim.text),
                                       QString::fromStdString(outcome.claim.source))));
        if (!outcome.cells.empty())
            item->setData(Cell, Qt::UserRole, QString::fromStdString(outcome.cells.front().cellId));
    }
    group->setExpanded(true);
}

QTreeWidgetItem* AnswerWhy::addGroup(const QString& title, std::size_t count)
{
    auto* item = new QTreeWidgetItem(m_cells);
    item->setText(Cell, QStringLiteral("%1 (%2)").arg(
                            title, QLocale().toString(static_cast<qulonglong>(count))));
    item->setFirstColumnSpanned(true);
    QFont bold = font();
    bold.setBold(true);
    item->setFont(Cell, bold);
    return item;
}

void AnswerWhy::addCell(QTreeWidgetItem& group, const core::AnswerCandidate& candidate,
                        const core::AnswerQuestion& question)
{
    const core::CellSummary* summary = m_store.analysis().find(candidate.cellId);
    if (summary == nullptr)
        return;
    auto* item = new QTreeWidgetItem(&group);
    item->setText(Cell,
                  QString::fromStdString(m_store.analysis().labels.withBatch(*summary->cell)));
    item->setData(Cell, Qt::UserRole, QString::fromStdString(candidate.cellId));
    if (candidate.value)
        item->setText(Value, objectiveText(m_store.analysis(), question.objective, *summary,
                                           *candidate.value, candidate.interval)
                                 .whole());
    item->setTextAlignment(Value, Qt::AlignRight | Qt::AlignVCenter);
    item->setText(Beside, besideText(candidate));
    const QString reason = candidateReason(candidate, *summary, question);
    item->setText(Reason, reason);
    item->setToolTip(Reason, widgets::plainTip(reason));
}

}  // namespace qs::app

#include "moc_answer_why.cpp"
