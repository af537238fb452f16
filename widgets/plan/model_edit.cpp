#include "widgets/plan/model_edit.h"

#include "core/model/catalogue.h"
#include "core/model/family_registry.h"
#include "widgets/layout/menu_button.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/line_list.h"

#include <QAction>
#include <QComboBox>
#include <QCompleter>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace qs::widgets {

namespace {

// A long file name wraps after these instead of making the panel wider.
QString breakable(const QString& name)
{
    constexpr QChar kMayBreakHere(0x200b);
    QString text;
    for (const QChar letter : name) {
        text += letter;
        if (QStringLiteral("/_-.:").contains(letter))
            text += kMayBreakHere;
    }
    return text;
}

}  // namespace

ModelEdit::ModelEdit(QWidget* parent)
    : QWidget(parent),
      m_box(new QComboBox(this)),
      m_add(new QToolButton(this)),
      m_list(new LineList(QStringLiteral("model"), this)),
      m_menu(new QMenu(this))
{
    buildBox();
    buildAdd();
    setFocusProxy(m_box);
    auto* row = new QHBoxLayout;
    row->addWidget(m_box, 1);
    row->addWidget(m_add);
    row->addWidget(buildOpen());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_list);
    layout->addLayout(row);
    connect(m_box, &QComboBox::activated, this, [this] { choose(m_box->currentText()); });
    // Return asks again for what stands there: a file that was broken may be whole now.
    connect(m_box->lineEdit(), &QLineEdit::returnPressed, this,
            [this] { choose(m_box->currentText().trimmed()); });
    connect(m_box->lineEdit(), &QLineEdit::editingFinished, this, [this] {
        const QString reference = m_box->currentText().trimmed();
        if (!m_models.contains(reference))
            choose(reference);
    });
    connect(m_list, &LineList::removed, this, [this](int place) {
        m_models.removeAt(place);
        if (m_models.size() == 1)
            m_add->setChecked(false);
        showModels();
        m_box->setFocus();  // the button that had it is gone
        Q_EMIT modelsEdited(m_models);
    });
}

void ModelEdit::buildBox()
{
    m_box->setObjectName(QStringLiteral("modelBox"));
    m_box->setAccessibleName(tr("Model"));
    m_box->setEditable(true);
    m_box->setInsertPolicy(QComboBox::NoInsert);
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setMinimumContentsLength(12);
    const auto offer = [this](const std::string& reference, const QString& tip) {
        m_box->addItem(QString::fromStdString(reference));
        m_box->setItemData(m_box->count() - 1, plainTip(tip), Qt::ToolTipRole);
    };
    for (const core::ShippedModel& model : core::shippedModels())
        offer(std::string(model.reference), QString::fromUtf8(model.description));
    for (const core::FamilySpec& family : core::familyRegistry().specs()) {
        for (const std::string& variant : family.variants) {
            offer(family.name + ":" + variant,
                  tr("%1. Generated weights: real speed, no meaningful outputs")
                      .arg(QString::fromStdString(family.description)));
        }
    }
    // Names are completed as they are typed. Recent paths are not: a folder that is typed would
    // become a file in it.
    QStringList names;
    for (int i = 0; i < m_box->count(); ++i)
        names << m_box->itemText(i);
    auto* completer = new QCompleter(names, m_box);
    completer->setCompletionMode(QCompleter::InlineCompletion);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_box->setCompleter(completer);
    m_box->setToolTip(
        tr("\"demo\", \"demo-text\", a ViTok by name or variant (\"vitok:350M-f16x64\", generated "
           "weights), "
           "a folder or .safetensors file with trained weights, or a .pt2 of torch.export.save"));
}

void ModelEdit::buildAdd()
{
    m_add->setObjectName(QStringLiteral("addModel"));
    m_add->setText(QStringLiteral("+"));
    m_add->setCheckable(true);
    m_add->setAccessibleName(tr("Sweep several models"));
    m_add->setFocusPolicy(Qt::StrongFocus);
    connect(m_add, &QToolButton::toggled, this, &ModelEdit::showModels);
}

QToolButton* ModelEdit::buildOpen()
{
    auto* open = new MenuButton(this);
    open->setObjectName(QStringLiteral("openModel"));
    open->setText(tr("Open…"));
    open->setAccessibleName(tr("Open a model"));
    open->setFocusPolicy(Qt::StrongFocus);
    open->setToolTip(tr("Open weights: a file, a folder, or a recent model"));
    m_menu->setObjectName(QStringLiteral("openModelMenu"));
    m_menu->setToolTipsVisible(true);
    m_menu->addAction(tr("F&older with encoder and decoder…"), this, &ModelEdit::chooseFolder);
    m_menu->addAction(tr("Safetensors or .pt2 &file…"), this, &ModelEdit::chooseFile);
    open->setMenu(m_menu);
    return open;
}

void ModelEdit::setModels(const QStringList& references)
{
    m_models = references;
    const QSignalBlocker blocker(m_add);
    m_add->setChecked(references.size() > 1);
    showModels();
}

void ModelEdit::choose(const QString& reference)
{
    if (reference.isEmpty())
        return;
    if (!m_add->isChecked())
        m_models = {reference};
    else if (!m_models.contains(reference))
        m_models << reference;
    showModels();
    Q_EMIT modelsEdited(m_models);
}

void ModelEdit::showModels()
{
    const bool several = m_models.size() > 1;
    const bool adding = m_add->isChecked();
    const QSignalBlocker blocker(m_box);
    m_box->setEditText(adding ? QString() : m_models.value(0));
    m_box->lineEdit()->setPlaceholderText(adding ? tr("add a model") : QString());
    // Of a path that is longer than the field its end is seen, which has the name.
    const QString shown = m_box->currentText();
    m_box->lineEdit()->setCursorPosition(
        QFileInfo(shown).isAbsolute() ? static_cast<int>(shown.size()) : 0);
    QList<LineList::Line> lines;
    for (const QString& model : adding ? m_models : QStringList{}) {
        const QFileInfo file(model);
        // Checkpoints are often called alike; the folder tells them apart.
        const QString name = file.isAbsolute()
                                 ? QDir(file.path()).dirName() + QLatin1Char('/') + file.fileName()
                                 : model;
        lines << LineList::Line{breakable(name), model, tr("Remove %1 from the sweep").arg(name)};
    }
    m_list->setLines(lines, several);
    m_add->setEnabled(!several);
    m_add->setToolTip(
        plainTip(several  ? tr("The sweep has several models; remove one above")
                 : adding ? tr("The next model you choose is added")
                          : tr("Sweep several models: the next model you choose is added")));
}

void ModelEdit::setRecent(const QStringList& paths)
{
    qDeleteAll(m_recent);
    m_recent.clear();
    if (!paths.isEmpty())
        m_recent << m_menu->addSeparator();
    // In the list of the field, too, before the models that come with the program.
    const QSignalBlocker blocker(m_box);
    const QString shown = m_box->currentText();
    const int cursor = m_box->lineEdit()->cursorPosition();
    for (; m_inList > 0; --m_inList)
        m_box->removeItem(0);
    for (const QString& path : paths) {
        m_box->insertItem(m_inList, path);
        m_box->setItemData(m_inList++, plainTip(path), Qt::ToolTipRole);
    }
    m_box->setEditText(shown);
    m_box->lineEdit()->setCursorPosition(cursor);
    for (const QString& path : paths) {
        // Checkpoints are often called alike; the folder tells them apart.
        const QFileInfo file(path);
        QAction* action =
            m_menu->addAction(QDir(file.path()).dirName() + QLatin1Char('/') + file.fileName(),
                              this, [this, path] { choose(path); });
        action->setToolTip(plainTip(path));
        m_recent << action;
    }
}

void ModelEdit::chooseFile()
{
    auto* dialog =
        new QFileDialog(this, tr("Open weights"), {}, tr("Models (*.safetensors *.pt2 *.pt)"));
    dialog->setObjectName(QStringLiteral("openModelFile"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &ModelEdit::choose);
    dialog->open();
}

void ModelEdit::chooseFolder()
{
    auto* dialog =
        new QFileDialog(this, tr("Open a folder with encoder.safetensors and decoder.safetensors"));
    dialog->setObjectName(QStringLiteral("openModelFolder"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, &ModelEdit::choose);
    dialog->open();
}

}  // namespace qs::widgets

#include "moc_model_edit.cpp"
