#include "widgets/plan/preset_bar.h"

#include "widgets/layout/drawn_icon.h"
#include "widgets/layout/elided_paragraph.h"
#include "widgets/models/plain_tip.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>

#include <system_error>

namespace qs::widgets {

namespace {

constexpr int kDescriptionLines = 2;  // the browser has the whole text

// One text for one file, however its path was written.
QString keyOf(const std::filesystem::path& file)
{
    std::error_code ignored;
    return file.empty() ? QString()
                        : QString::fromStdString(
                              std::filesystem::absolute(file, ignored).lexically_normal().string());
}

}  // namespace

PresetBar::PresetBar(const SweepDraft& draft, QWidget* parent)
    : QWidget(parent),
      m_draft(draft),
      m_chooser(new QComboBox(this)),
      m_description(new ElidedParagraph(kDescriptionLines, this))
{
    build();
    connect(m_chooser, &QComboBox::activated, this,
            [this](int index) { Q_EMIT presetChosen(m_chooser->itemData(index).toString()); });
    connect(&draft, &SweepDraft::shown, this, &PresetBar::showDraft);
    connect(&draft, &SweepDraft::differsChanged, this, &PresetBar::describe);
}

void PresetBar::build()
{
    m_chooser->setObjectName(QStringLiteral("presetChooser"));
    m_chooser->setAccessibleName(tr("Preset"));
    m_chooser->setToolTip(tr("The sweep that the draft starts from"));
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_chooser->setMinimumContentsLength(8);
    m_chooser->setPlaceholderText(tr("Choose a preset"));
    m_description->setObjectName(QStringLiteral("presetDescription"));
    m_description->setForegroundRole(QPalette::PlaceholderText);
    auto* browse = new QToolButton(this);
    browse->setObjectName(QStringLiteral("browsePresets"));
    browse->setText(tr("Presets…"));
    browse->setFocusPolicy(Qt::StrongFocus);
    browse->setToolTip(tr("Find, save and delete presets"));
    connect(browse, &QToolButton::clicked, this, &PresetBar::browseRequested);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(browse);
    row->addStretch(1);
    const std::pair<QAction*, DrawnIcon> steps[] = {
        {m_draft.history().undoAction(), DrawnIcon::Undo},
        {m_draft.history().redoAction(), DrawnIcon::Redo}};
    for (const auto& [action, icon] : steps) {
        action->setIcon(drawnIcon(icon));
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        row->addWidget(button);
        addAction(action);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_chooser);
    layout->addWidget(m_description);
    layout->addLayout(row);
}

void PresetBar::setPresets(const std::vector<PresetEntry>& entries)
{
    const QSignalBlocker blocker(m_chooser);
    m_chooser->clear();
    QString group;
    for (const PresetEntry& entry : entries) {
        if (m_chooser->count() > 0 && entry.group != group)
            m_chooser->insertSeparator(m_chooser->count());
        group = entry.group;
        m_chooser->addItem(entry.name, keyOf(entry.path));
        const QString about = entry.problem.isEmpty() ? entry.description : entry.problem;
        m_chooser->setItemData(
            m_chooser->count() - 1,
            plainTip(tr("%1: %2", "group: what a preset is for").arg(entry.group, about)),
            Qt::ToolTipRole);
    }
    m_chooser->setCurrentIndex(m_chooser->findData(keyOf(m_draft.source())));
}

void PresetBar::showDraft()
{
    const core::Preset& shown = m_draft.preset();
    const QSignalBlocker blocker(m_chooser);
    m_chooser->setCurrentIndex(m_chooser->findData(keyOf(m_draft.source())));
    if (m_chooser->currentIndex() < 0)
        m_chooser->setPlaceholderText(QString::fromStdString(shown.name));
    describe();
}

// What the preset promises holds of an edited draft no more.
void PresetBar::describe()
{
    const QString about = QString::fromStdString(m_draft.preset().description);
    m_description->setText(m_draft.differs() ? tr("Edited. The preset was: %1").arg(about) : about);
    m_description->setToolTip(plainTip(m_description->text()));
    m_description->setVisible(!about.isEmpty());
}

}  // namespace qs::widgets

#include "moc_preset_bar.cpp"
