#include "widgets/plan/stage_cut_edit.h"

#include "core/model/input_feed.h"
#include "widgets/plan/line_list.h"
#include "widgets/plan/message_line.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace qs::widgets {

StageCutEdit::StageCutEdit(QWidget* parent)
    : QWidget(parent),
      m_list(new LineList(QStringLiteral("stageCut"), this)),
      m_name(new QLineEdit(this)),
      m_module(new QComboBox(this)),
      m_add(new QToolButton(this)),
      m_message(newMessageLine(QStringLiteral("stageMessage"), this))
{
    m_name->setObjectName(QStringLiteral("feed:stage"));
    m_name->setAccessibleName(tr("Name of a stage"));
    m_name->setPlaceholderText(tr("encoder"));
    m_name->setToolTip(tr("Name of a stage. Each stage is timed alone and may have a precision and "
                          "a compile mode of its own"));
    m_module->setObjectName(QStringLiteral("stageModule"));
    m_module->setAccessibleName(tr("First module of the stage"));
    m_module->setToolTip(tr("The module that the stage begins with. It has all that follows, up to "
                            "the next stage"));
    m_module->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_add->setObjectName(QStringLiteral("addStage"));
    m_add->setText(tr("Add"));
    m_add->setFocusPolicy(Qt::StrongFocus);
    m_add->setToolTip(tr("Add this stage"));
    setFocusProxy(m_name);
    auto* row = new QHBoxLayout;
    row->addWidget(m_name, 1);
    row->addWidget(m_module, 2);
    row->addWidget(m_add);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_list);
    layout->addLayout(row);
    layout->addWidget(m_message);
    connect(m_add, &QToolButton::clicked, this, &StageCutEdit::add);
    connect(m_name, &QLineEdit::returnPressed, this, &StageCutEdit::add);
    connect(m_list, &LineList::removed, this, [this](int place) {
        m_stages.erase(m_stages.begin() + place);
        showStages();
        showMessage(*m_message, {});
        m_name->setFocus();  // the button that had it is gone
        Q_EMIT stagesEdited(m_stages);
    });
}

void StageCutEdit::setStages(const std::vector<core::StageCut>& stages)
{
    m_stages = stages;
    showStages();
}

void StageCutEdit::setModules(const std::vector<std::string>& modules)
{
    if (modules == m_modules)
        return;
    m_modules = modules;
    m_module->clear();
    for (const std::string& module : modules)
        m_module->addItem(QString::fromStdString(module));
    m_add->setEnabled(!modules.empty());
}

void StageCutEdit::setObjection(const QString& objection)
{
    showMessage(*m_message, objection);
}

std::ptrdiff_t StageCutEdit::placeOf(const std::string& module) const
{
    return std::find(m_modules.begin(), m_modules.end(), module) - m_modules.begin();
}

void StageCutEdit::add()
{
    core::ModelFeeding feeding;
    feeding.stages = m_stages;
    const QString assignment =
        m_name->text().trimmed() + QLatin1Char('=') + m_module->currentText();
    if (const core::Status added = core::addStageCut(feeding, assignment.toStdString());
        !added.ok()) {
        showMessage(*m_message, m_name->text().trimmed().isEmpty()
                                    ? tr("Enter a name for the stage")
                                    : QString::fromStdString(added.error().message));
        return;
    }
    // Stages stand in the order of the program, whatever is added first.
    std::stable_sort(
        feeding.stages.begin(), feeding.stages.end(),
        [this](const auto& a, const auto& b) { return placeOf(a.module) < placeOf(b.module); });
    m_stages = std::move(feeding.stages);
    m_name->clear();
    showStages();
    showMessage(*m_message, {});
    Q_EMIT stagesEdited(m_stages);
}

void StageCutEdit::showStages()
{
    QList<LineList::Line> lines;
    for (const core::StageCut& stage : m_stages) {
        const QString name = QString::fromStdString(stage.name);
        const QString module = QString::fromStdString(stage.module);
        lines << LineList::Line{tr("%1 from %2").arg(name, module), module,
                                tr("Remove the stage %1").arg(name)};
    }
    m_list->setLines(lines);
}

}  // namespace qs::widgets

#include "moc_stage_cut_edit.cpp"
