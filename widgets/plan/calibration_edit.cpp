#include "widgets/plan/calibration_edit.h"

#include "core/quant/calibration.h"
#include "core/quant/scheme.h"
#include "core/report/words/note_text.h"
#include "widgets/models/plain_tip.h"
#include "widgets/plan/editor_filter.h"
#include "widgets/plan/fold_section.h"
#include "widgets/plan/input_feed_edit.h"
#include "widgets/plan/message_line.h"
#include "widgets/plan/path_edit.h"
#include "widgets/plan/preset_edit.h"

#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace qs::widgets {

namespace {

// Of every stage.
std::vector<std::string> precisionsOf(const core::Preset& preset)
{
    std::vector<std::string> all;
    for (const QString& value : axisValues(preset, "precision")) {
        for (const QString& ofStage : value.split(QLatin1Char('/')))
            all.push_back(ofStage.toStdString());
    }
    return all;
}

bool calibrates(const std::string& precision)
{
    const core::Result<core::Scheme> scheme = core::parseScheme(precision);
    return scheme.ok() && scheme.value()->statistic.has_value();
}

bool isOfOwnSet(core::NoteCode code)
{
    return code == core::NoteCode::NoCalibrationPictures ||
           code == core::NoteCode::NoCalibrationInputs ||
           code == core::NoteCode::CalibrationSetUnfit ||
           code == core::NoteCode::TooFewCalibrationSamples;
}

QString fileName(const std::string& path)
{
    return QFileInfo(QString::fromStdString(path)).fileName();
}

// "leaves, at most 128 · ids calibration.npy"
QString setText(const core::CalibrationInputs& set)
{
    QStringList parts;
    if (!set.pictures.source.empty())
        parts << CalibrationEdit::tr("%1, at most %2")
                     .arg(fileName(set.pictures.source))
                     .arg(set.pictures.count);
    for (const auto& [input, feed] : set.inputs) {
        const std::vector<std::string> paths = core::feedPaths(feed);
        parts << QStringLiteral("%1 %2").arg(QString::fromStdString(input),
                                             paths.empty() ? QString() : fileName(paths.front()));
    }
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

CalibrationEdit::CalibrationEdit(QWidget* parent)
    : QWidget(parent),
      m_content(new QWidget),
      m_pictures(buildPictures()),
      m_rowLayout(new QVBoxLayout),
      m_message(newMessageLine(QStringLiteral("calibrationMessage"), m_content)),
      m_clear(new QToolButton(m_content))
{
    setObjectName(QStringLiteral("calibrationEdit"));
    setAcceptDrops(true);
    build();
    connectParts();
    showSet();
    showState();
}

void CalibrationEdit::setInspection(const Inspection& inspection)
{
    m_inspection = inspection;
    showRows();
    showSet();
    showState();
}

void CalibrationEdit::showPreset(const core::Preset& preset)
{
    const bool other = !(preset.calibration == m_preset.calibration);
    m_preset = preset;
    const std::vector<std::string> precisions = precisionsOf(preset);
    m_use = core::anyCalibratesOn(core::CalibrationSet::Own, precisions)    ? Use::Own
            : std::any_of(precisions.begin(), precisions.end(), calibrates) ? Use::Generated
                                                                            : Use::None;
    if (other) {
        showRows();
        showSet();
    }
    showState();
}

void CalibrationEdit::showPlan(const core::Plan* plan)
{
    m_objection.clear();
    if (plan != nullptr) {
        const auto refused =
            std::find_if(plan->cells.begin(), plan->cells.end(), [](const auto& cell) {
                return cell.impossible && isOfOwnSet(cell.impossible->code);
            });
        if (refused != plan->cells.end())
            m_objection = QString::fromStdString(core::noteText(*refused->impossible));
    }
    showState();
}

bool CalibrationEdit::takesPictures() const
{
    return m_inspection == nullptr || m_inspection->family == nullptr ||
           m_inspection->family->workload().source == core::InputSource::Images;
}

void CalibrationEdit::setPictures(const QString& source, bool typing)
{
    core::PictureSettings& pictures = m_preset.calibration.pictures;
    // As those that quality is judged on.
    if (pictures.source.empty())
        pictures.crop = m_preset.pictures.crop;
    pictures.source = source.toStdString();
    tell(typing);
}

void CalibrationEdit::editInput(const InputFeedEdit& row, bool typing)
{
    if (row.feed())
        m_preset.calibration.inputs.insert_or_assign(row.input(), *row.feed());
    else
        m_preset.calibration.inputs.erase(row.input());
    tell(typing);
}

void CalibrationEdit::tell(bool typing)
{
    // Without a source the other answers about pictures say nothing.
    if (m_preset.calibration.pictures.source.empty())
        m_preset.calibration.pictures = core::CalibrationInputs().pictures;
    showState();
    Q_EMIT calibrationEdited(m_preset.calibration, typing);
}

void CalibrationEdit::dragEnterEvent(QDragEnterEvent* event)
{
    // Also what cannot be taken: the window would make several images those that are judged.
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() &&
        std::all_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); }))
        event->acceptProposedAction();
}

void CalibrationEdit::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    const QList<QUrl> urls = event->mimeData()->urls();
    m_section->setOpen(true);
    if (urls.size() == 1)
        take(urls.front().toLocalFile(), event->position().toPoint());
    else
        showMessage(*m_message, tr("Drop one folder or one file: several images go in a folder"));
}

void CalibrationEdit::take(const QString& path, const QPoint& at)
{
    if (takesPictures()) {
        m_source->setPath(path);
        setPictures(path, false);
        return;
    }
    if (m_rows.isEmpty())
        return;
    const auto under = std::find_if(m_rows.begin(), m_rows.end(), [&](const InputFeedEdit* row) {
        return row->rect().contains(row->mapFrom(this, at));
    });
    InputFeedEdit* row = under == m_rows.end() ? m_rows.front() : *under;
    row->setFeed(feedFrom(row->input(), path));
    editInput(*row, false);
}

// A text where the run reads this input from one, too; everything else is a file of samples.
core::InputFeed CalibrationEdit::feedFrom(const std::string& input, const QString& path) const
{
    const auto ofRun = m_preset.feeding.inputs.find(input);
    const auto* text = ofRun == m_preset.feeding.inputs.end()
                           ? nullptr
                           : std::get_if<core::TextFeed>(&ofRun->second);
    if (text != nullptr && path.endsWith(QStringLiteral(".txt"), Qt::CaseInsensitive)) {
        core::TextFeed feed = *text;
        feed.path = path.toStdString();
        return feed;
    }
    return core::FileFeed{path.toStdString(), {}};
}

void CalibrationEdit::showRows()
{
    const std::vector<std::string> inputs = namedInputs(
        takesPictures() ? std::vector<core::InputSpec>() : m_inspection->family->workload().inputs,
        m_preset.calibration.inputs);
    if (keepRows(m_rows, inputs, *this))
        return;
    for (const std::string& input : inputs)
        addRow(input);
}

void CalibrationEdit::addRow(const std::string& input)
{
    auto* row = new InputFeedEdit(input, m_content);
    row->setObjectName(QStringLiteral("calibration:") + QString::fromStdString(input));
    row->offerFilesOnly();
    for (QLineEdit* line : row->findChildren<QLineEdit*>())
        line->setAcceptDrops(false);
    new EditorFilter(*row);
    connect(row, &InputFeedEdit::feedEdited, this,
            [this, row](bool typing) { editInput(*row, typing); });
    connect(row, &InputFeedEdit::problemChanged, this, [this] {
        showState();
        Q_EMIT problemChanged();
    });
    m_rowLayout->addWidget(row);
    m_rows << row;
}

void CalibrationEdit::showSet()
{
    const core::CalibrationInputs& set = m_preset.calibration;
    const QSignalBlocker quiet(m_count);
    m_source->setPath(QString::fromStdString(set.pictures.source));
    m_count->setMaximum(std::max(m_count->maximum(), set.pictures.count));
    m_count->setValue(set.pictures.count);
    m_pictures->setVisible(takesPictures() || !set.pictures.source.empty());
    for (InputFeedEdit* row : m_rows) {
        row->setTokenizer(m_inspection == nullptr ? std::string()
                                                  : m_inspection->tokenizer.string());
        const auto found = set.inputs.find(row->input());
        row->setFeed(found == set.inputs.end() ? std::nullopt : std::optional(found->second));
    }
}

void CalibrationEdit::showState()
{
    const core::CalibrationInputs& set = m_preset.calibration;
    m_clear->setEnabled(!set.empty());
    // Also what nobody uses can be seen and cleared.
    m_section->setEnabled(m_use != Use::None || !set.empty());
    const QString wrong = problem();
    QString summary = setText(set);
    if (!wrong.isEmpty())
        summary = wrong;
    else if (!m_objection.isEmpty())
        summary = m_objection;
    else if (m_use == Use::None && set.empty())
        summary = tr("no precision calibrates");
    else if (set.empty())
        summary = tr("none of one's own");
    m_section->setSummary(summary);
    const bool unused = m_use != Use::Own && !set.empty();
    showMessage(*m_message, !wrong.isEmpty()         ? wrong
                            : !m_objection.isEmpty() ? m_objection
                            : unused ? tr("No precision takes it: give one the option set=own")
                                     : QString());
}

QString CalibrationEdit::problem() const
{
    for (const InputFeedEdit* row : m_rows) {
        if (!row->problem().isEmpty())
            return tr("Calibration, input %1: %2")
                .arg(QString::fromStdString(row->input()), row->problem());
    }
    return {};
}

}  // namespace qs::widgets

#include "moc_calibration_edit.cpp"
