#include "widgets/plan/preset_browser.h"

#include "widgets/background/in_background.h"
#include "widgets/layout/drawn_icon.h"
#include "widgets/layout/plain_box.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/preset_rows.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QTreeWidget>
#include <QUrl>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

namespace qs::widgets {

namespace fs = std::filesystem;

namespace {

constexpr int kEntryRole = Qt::UserRole;  // number of the entry; absent on groups

fs::path pathOf(const QString& text)
{
    return text.toStdString();
}

QString pathText(const fs::path& path)
{
    return QString::fromStdString(path.string());
}

// Whatever is thrown on a thread of the pool becomes a problem to show.
core::Result<fs::path> guarded(const std::function<core::Result<fs::path>()>& work)
{
    try {
        return work();
    } catch (const std::exception& failure) {
        return core::Error{core::ErrorCode::Internal, failure.what()};
    }
}

}  // namespace

PresetBrowser::PresetBrowser(PresetPlaces places, core::Preset draft, QWidget* parent)
    : QDialog(parent), m_places(std::move(places)), m_draft(std::move(draft))
{
    setObjectName(QStringLiteral("presetBrowser"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Presets"));
    setAcceptDrops(true);
    build();
    connect(m_search, &QLineEdit::textChanged, this, &PresetBrowser::applySearch);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &PresetBrowser::showCurrent);
    connect(m_tree, &QTreeWidget::itemActivated, this, &PresetBrowser::openCurrent);
    connect(m_open, &QPushButton::clicked, this, &PresetBrowser::openCurrent);
    connect(m_delete, &QPushButton::clicked, this, &PresetBrowser::askDelete);
    connect(m_save, &QPushButton::clicked, this, &PresetBrowser::save);
    connect(m_search, &QLineEdit::returnPressed, this, &PresetBrowser::openCurrent);
    connect(m_name, &QLineEdit::returnPressed, m_save, &QPushButton::click);
    connect(m_description, &QLineEdit::returnPressed, m_save, &QPushButton::click);
    connect(m_name, &QLineEdit::textChanged, this, &PresetBrowser::updateSaveButton);
    refresh();
    showCurrent();
}

void PresetBrowser::refresh(const fs::path& select)
{
    ++m_busy;
    const auto read = [places = m_places]() -> Groups {
        std::vector<PresetEntry> recent;
        for (const QString& path : places.recent)
            recent.push_back(readPresetEntry(pathOf(path)));
        Groups groups{{tr("Your presets"), listPresets(places.own)},
                      {tr("Recently opened"), std::move(recent)}};
        for (PresetEntry& entry : listPresets(places.shipped)) {
            const QString title = tr("Shipped: %1").arg(entry.group);
            if (groups.back().first != title)
                groups.emplace_back(title, std::vector<PresetEntry>{});
            groups.back().second.push_back(std::move(entry));
        }
        return groups;
    };
    inBackground(this, read, [this, select](const Groups& groups) {
        --m_busy;
        fill(groups, select);
    });
}

void PresetBrowser::fill(const Groups& groups, const fs::path& select)
{
    const std::vector<PresetRow> wanted = rowsToSelect(*m_tree);
    const QStringList folded = foldedGroups(*m_tree);
    const int scroll = m_tree->verticalScrollBar()->value();
    m_tree->clear();
    m_entries.clear();
    for (const auto& [title, entries] : groups) {
        if (entries.empty())
            continue;
        auto* group = new QTreeWidgetItem(m_tree, {title});
        group->setFlags(Qt::ItemIsEnabled);
        group->setExpanded(!folded.contains(title));
        for (const PresetEntry& entry : entries) {
            auto* item = new QTreeWidgetItem(group, {entry.name});
            item->setData(0, kEntryRole, qulonglong(m_entries.size()));
            item->setData(0, kPresetPathRole, pathText(entry.path));
            item->setToolTip(0, plainTip(pathText(entry.path)));
            if (!entry.problem.isEmpty())
                item->setIcon(0, drawnIcon(DrawnIcon::Warning));
            m_entries.push_back(entry);
        }
    }
    applySearch();
    m_tree->setCurrentItem(itemToSelect(*m_tree, pathText(select), wanted));
    if (select.empty()) {
        m_tree->doItemsLayout();  // the scroll bar has no range before
        m_tree->verticalScrollBar()->setValue(scroll);
    }
    showCurrent();
    updateSaveButton();
}

void PresetBrowser::applySearch()
{
    const QStringList words = m_search->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = m_tree->topLevelItem(i);
        bool any = false;
        for (int j = 0; j < group->childCount(); ++j) {
            QTreeWidgetItem* item = group->child(j);
            const PresetEntry& entry = m_entries[item->data(0, kEntryRole).toULongLong()];
            const QString text = entry.group + QLatin1Char(' ') + entry.name + QLatin1Char(' ') +
                                 entry.description + QLatin1Char(' ') + entry.contents;
            bool fits = true;
            for (const QString& word : words)
                fits = fits && text.contains(word, Qt::CaseInsensitive);
            item->setHidden(!fits);
            any = any || fits;
        }
        group->setHidden(!any);
    }
}

const PresetEntry* PresetBrowser::current() const
{
    const QTreeWidgetItem* item = m_tree->currentItem();
    const QVariant number = item == nullptr ? QVariant() : item->data(0, kEntryRole);
    return number.isValid() ? &m_entries[number.toULongLong()] : nullptr;
}

bool PresetBrowser::isOwn(const PresetEntry& entry) const
{
    return entry.path.parent_path() == m_places.own;
}

void PresetBrowser::showCurrent()
{
    const PresetEntry* entry = current();
    m_open->setEnabled(entry != nullptr && entry->problem.isEmpty());
    m_delete->setEnabled(entry != nullptr && isOwn(*entry));
    m_delete->setToolTip(m_delete->isEnabled() ? tr("Delete this preset (Del)")
                                               : tr("Shipped presets cannot be deleted"));
    if (entry == nullptr) {
        m_title->setText(tr("No preset chosen"));
        m_about->setText(tr("Drop a preset file here to add it to your presets."));
        m_problem->hide();
        return;
    }
    m_title->setText(entry->name);
    QStringList about;
    for (const QString& part : {entry->description, entry->contents, pathText(entry->path)}) {
        if (!part.isEmpty())
            about << part;
    }
    m_about->setText(about.join(QStringLiteral("\n\n")));
    m_problem->setVisible(!entry->problem.isEmpty());
    m_problem->setText(entry->problem);
}

void PresetBrowser::openCurrent()
{
    const PresetEntry* entry = current();
    if (entry == nullptr || !entry->problem.isEmpty())
        return;
    Q_EMIT presetChosen(pathText(entry->path));
    close();
}

void PresetBrowser::askDelete()
{
    const PresetEntry* entry = current();
    if (entry == nullptr || !isOwn(*entry))
        return;
    auto* box = new QMessageBox(QMessageBox::Question, tr("Delete a preset"),
                                tr("Delete \"%1\"? This cannot be undone.").arg(entry->name),
                                QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("deletePresetQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* yes = box->addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    yes->setObjectName(QStringLiteral("deletePresetYes"));
    showPlainly(*box);
    connect(yes, &QPushButton::clicked, this, [this, file = entry->path] {
        change([own = m_places.own, file]() -> core::Result<fs::path> {
            QS_RETURN_IF_ERROR(deletePreset(own, file));
            return fs::path();
        });
    });
    box->open();
}

void PresetBrowser::updateSaveButton()
{
    const QString name = m_name->text().trimmed();
    const fs::path place = presetFile(m_places.own, name);
    const bool replaces =
        std::any_of(m_entries.begin(), m_entries.end(),
                    [&](const PresetEntry& entry) { return entry.path == place; });
    m_save->setEnabled(!name.isEmpty());
    m_save->setText(replaces ? tr("&Replace") : tr("&Save"));
    m_save->setToolTip(replaces ? tr("Replaces your preset of this name with the draft")
                                : tr("Save the draft to your presets"));
}

void PresetBrowser::save()
{
    core::Preset preset = m_draft;
    preset.name = m_name->text().trimmed().toStdString();
    preset.description = m_description->text().trimmed().toStdString();
    change([own = m_places.own, preset] { return savePreset(own, preset); });
}

void PresetBrowser::change(std::function<core::Result<fs::path>()> work)
{
    ++m_busy;
    const auto guardedWork = [work = std::move(work)] {
        return std::make_shared<core::Result<fs::path>>(guarded(work));
    };
    inBackground(this, guardedWork, [this](const std::shared_ptr<core::Result<fs::path>>& done) {
        --m_busy;
        if (!done->ok()) {
            showProblem(QString::fromStdString(done->error().message));
            return;
        }
        refresh(done->value());
        Q_EMIT ownPresetsChanged();
    });
}

void PresetBrowser::showProblem(const QString& problem)
{
    m_tree->setCurrentItem(nullptr);
    m_title->setText(tr("Preset operation failed"));
    m_about->clear();
    m_problem->setText(problem);
    m_problem->show();
}

void PresetBrowser::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void PresetBrowser::dropEvent(QDropEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile())
            change([own = m_places.own, file = pathOf(url.toLocalFile())] {
                return importPreset(own, file);
            });
    }
    event->acceptProposedAction();
}

}  // namespace qs::widgets

#include "moc_preset_browser.cpp"
