#include "widgets/plan/model_edit.h"

#include "core/model/vitok/variant.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>

namespace qs::widgets {

ModelEdit::ModelEdit(QWidget* parent)
    : QWidget(parent), m_box(new QComboBox(this)), m_menu(new QMenu(this))
{
    m_box->setObjectName(QStringLiteral("modelBox"));
    m_box->setAccessibleName(tr("Model"));
    m_box->setEditable(true);
    m_box->setInsertPolicy(QComboBox::NoInsert);
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setMinimumContentsLength(12);
    m_box->addItem(QStringLiteral("demo"));
    m_box->setItemData(0, tr("The trained demo model that comes with the program"),
                       Qt::ToolTipRole);
    for (const auto& published : core::vitok::publishedModels()) {
        const QString name =
            QString::fromUtf8(published.name.data(), qsizetype(published.name.size()));
        m_box->addItem(QStringLiteral("vitok:") + name);
        m_box->setItemData(
            m_box->count() - 1,
            tr("ViTok %1 with generated weights: real speed, no meaningful pictures").arg(name),
            Qt::ToolTipRole);
    }
    m_box->setToolTip(
        tr("\"demo\", a ViTok by name or variant (\"vitok:350M-f16x64\", generated weights), "
           "or a folder or .safetensors file with trained weights"));

    auto* open = new QToolButton(this);
    open->setObjectName(QStringLiteral("openModel"));
    open->setText(tr("Open…"));
    open->setAccessibleName(tr("Open a model"));
    open->setPopupMode(QToolButton::InstantPopup);
    open->setFocusPolicy(Qt::StrongFocus);
    open->setToolTip(tr("Open weights: a file, a folder, or one of the last ones"));
    m_menu->setObjectName(QStringLiteral("openModelMenu"));
    m_menu->setToolTipsVisible(true);
    m_menu->addAction(tr("F&older with encoder and decoder…"), this, &ModelEdit::chooseFolder);
    m_menu->addAction(tr("Safetensors &file…"), this, &ModelEdit::chooseFile);
    open->setMenu(m_menu);

    setFocusProxy(m_box);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_box, 1);
    layout->addWidget(open);
    connect(m_box, &QComboBox::activated, this,
            [this] { Q_EMIT modelEdited(m_box->currentText()); });
    connect(m_box->lineEdit(), &QLineEdit::editingFinished, this, [this] {
        if (m_box->isEnabled() && !m_box->currentText().trimmed().isEmpty())
            Q_EMIT modelEdited(m_box->currentText().trimmed());
    });
}

void ModelEdit::setModels(const QStringList& references)
{
    const QSignalBlocker blocker(m_box);
    m_box->setEnabled(references.size() == 1);
    m_box->setEditText(references.join(QStringLiteral(", ")));
    m_box->lineEdit()->setCursorPosition(0);
}

void ModelEdit::setRecent(const QStringList& paths)
{
    qDeleteAll(m_recent);
    m_recent.clear();
    if (!paths.isEmpty())
        m_recent << m_menu->addSeparator();
    for (const QString& path : paths) {
        // Checkpoints are often called alike; the folder tells them apart.
        const QFileInfo file(path);
        QAction* action =
            m_menu->addAction(QDir(file.path()).dirName() + QLatin1Char('/') + file.fileName(),
                              this, [this, path] { Q_EMIT modelEdited(path); });
        action->setToolTip(path);
        m_recent << action;
    }
}

void ModelEdit::chooseFile()
{
    auto* dialog = new QFileDialog(this, tr("Open weights"), {}, tr("Safetensors (*.safetensors)"));
    dialog->setObjectName(QStringLiteral("openModelFile"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &ModelEdit::modelEdited);
    dialog->open();
}

void ModelEdit::chooseFolder()
{
    auto* dialog =
        new QFileDialog(this, tr("Open a folder with encoder.safetensors and decoder.safetensors"));
    dialog->setObjectName(QStringLiteral("openModelFolder"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, &ModelEdit::modelEdited);
    dialog->open();
}

}  // namespace qs::widgets
