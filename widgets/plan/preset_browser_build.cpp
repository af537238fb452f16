#include "widgets/layout/screen_room.h"
#include "widgets/plan/preset_browser.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTreeWidget>
#include <QVBoxLayout>

// How the browser is put together.
namespace qs::widgets {

namespace {

constexpr QSize kUsualSize{820, 540};

QLabel* paragraph(const char* name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(QString::fromLatin1(name));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

}  // namespace

void PresetBrowser::build()
{
    m_search = new QLineEdit(this);
    m_search->setObjectName(QStringLiteral("presetSearch"));
    m_search->setPlaceholderText(tr("Find by name, description or swept axis"));
    m_search->setAccessibleName(tr("Find presets"));
    m_search->setClearButtonEnabled(true);
    m_tree = new QTreeWidget(this);
    m_tree->setObjectName(QStringLiteral("presetTree"));
    m_tree->setAccessibleName(tr("Presets"));
    m_tree->setHeaderHidden(true);
    m_tree->setMinimumWidth(260);

    auto* middle = new QHBoxLayout;
    middle->addWidget(m_tree, 2);
    middle->addWidget(buildDetails(), 3);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_search);
    layout->addLayout(middle, 1);
    layout->addWidget(buildSaving());
    layout->addWidget(buildButtons());
    resizeWithinScreen(*this, kUsualSize);
}

QWidget* PresetBrowser::buildDetails()
{
    auto* content = new QWidget(this);
    m_title = paragraph("presetTitle", content);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_about = paragraph("presetAbout", content);
    m_problem = paragraph("presetProblem", content);
    auto* layout = new QVBoxLayout(content);
    layout->addWidget(m_title);
    layout->addWidget(m_problem);
    layout->addWidget(m_about);
    layout->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    return scroll;
}

QWidget* PresetBrowser::buildSaving()
{
    auto* box = new QGroupBox(tr("Save the draft to your presets"), this);
    m_name = new QLineEdit(QString::fromStdString(m_draft.name), box);
    m_name->setObjectName(QStringLiteral("presetName"));
    m_name->setAccessibleName(tr("Name of the preset"));
    m_description = new QLineEdit(QString::fromStdString(m_draft.description), box);
    m_description->setObjectName(QStringLiteral("presetDescriptionEdit"));
    m_description->setAccessibleName(tr("Description of the preset"));
    m_description->setCursorPosition(0);
    m_save = new QPushButton(box);
    m_save->setObjectName(QStringLiteral("savePreset"));
    m_save->setAutoDefault(false);
    auto* row = new QHBoxLayout;
    row->addWidget(m_name, 1);
    row->addWidget(m_save);
    auto* form = new QFormLayout(box);
    auto* label = new QLabel(tr("&Name"), box);
    label->setBuddy(m_name);
    form->addRow(label, row);
    form->addRow(tr("Descri&ption"), m_description);
    return box;
}

QWidget* PresetBrowser::buildButtons()
{
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_open = buttons->addButton(tr("&Open"), QDialogButtonBox::ActionRole);
    m_open->setObjectName(QStringLiteral("openPresetButton"));
    m_open->setToolTip(tr("Make this preset the draft; undo restores the previous draft"));
    QPushButton* file = buttons->addButton(tr("Open &file…"), QDialogButtonBox::ActionRole);
    file->setObjectName(QStringLiteral("openPresetFile"));
    file->setToolTip(tr("Open a preset file"));
    m_delete = buttons->addButton(tr("&Delete"), QDialogButtonBox::ActionRole);
    m_delete->setObjectName(QStringLiteral("deletePreset"));
    auto* deleteKey = new QAction(this);
    deleteKey->setShortcut(QKeySequence(Qt::Key_Delete));
    deleteKey->setShortcutContext(Qt::WidgetShortcut);
    m_tree->addAction(deleteKey);
    connect(deleteKey, &QAction::triggered, this, &PresetBrowser::askDelete);
    connect(file, &QPushButton::clicked, this, [this] {
        Q_EMIT openFileRequested();
        close();
    });
    // Enter means another thing in each part; a default button, which an accepting one becomes by
    // itself, would take it from all of them.
    for (QAbstractButton* each : buttons->buttons())
        qobject_cast<QPushButton*>(each)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    return buttons;
}

}  // namespace qs::widgets
