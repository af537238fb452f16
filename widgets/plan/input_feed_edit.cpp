#include "widgets/plan/input_feed_edit.h"

#include "widgets/models/plain_tip.h"
#include "widgets/plan/message_line.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kIndent = 12;  // pixels

FeedKind kindOf(const std::optional<core::InputFeed>& feed)
{
    if (!feed)
        return FeedKind::Default;
    if (std::holds_alternative<core::ImageFeed>(*feed))
        return FeedKind::Images;
    if (std::holds_alternative<core::RandomFeed>(*feed))
        return FeedKind::Random;
    return std::holds_alternative<core::FileFeed>(*feed) ? FeedKind::File : FeedKind::Text;
}

}  // namespace

InputFeedEdit::InputFeedEdit(const std::string& input, QWidget* parent)
    : QWidget(parent),
      m_input(input),
      m_spec{.name = input},
      m_type(new QLabel(this)),
      m_kind(new QComboBox(this)),
      m_fields{makeImageFields(this), makeRandomFields(this), makeFileFields(this),
               makeTextFields(this)},
      m_message(newMessageLine(QStringLiteral("feedMessage"), this))
{
    setObjectName(QStringLiteral("input:") + QString::fromStdString(input));
    build();
    connect(m_kind, &QComboBox::activated, this, &InputFeedEdit::chooseKind);
    for (const FeedFields* fields : m_fields)
        connect(fields, &FeedFields::edited, this, &InputFeedEdit::read);
    showFields();
    showMessage();
}

void InputFeedEdit::build()
{
    const QString name = QString::fromStdString(m_input);
    auto* title = new QLabel(name, this);
    title->setTextFormat(Qt::PlainText);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    m_type->setObjectName(QStringLiteral("inputType"));
    m_type->setTextFormat(Qt::PlainText);
    m_type->setWordWrap(true);
    m_type->setForegroundRole(QPalette::PlaceholderText);
    m_kind->setObjectName(QStringLiteral("feedKind"));
    m_kind->setAccessibleName(tr("What %1 is fed with").arg(name));
    m_kind->setToolTip(plainTip(m_kind->accessibleName()));
    m_kind->addItem(tr("Not said: random"), QVariant::fromValue(FeedKind::Default));
    m_kind->addItem(tr("Images"), QVariant::fromValue(FeedKind::Images));
    m_kind->addItem(tr("Random"), QVariant::fromValue(FeedKind::Random));
    m_kind->addItem(tr("File"), QVariant::fromValue(FeedKind::File));
    m_kind->addItem(tr("Text"), QVariant::fromValue(FeedKind::Text));
    setFocusProxy(m_kind);

    auto* head = new QHBoxLayout;
    head->addWidget(title);
    head->addWidget(m_type, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(m_kind);
    auto* below = new QVBoxLayout;
    below->setContentsMargins(kIndent, 0, 0, 0);
    for (FeedFields* fields : m_fields)
        below->addWidget(fields);
    layout->addLayout(below);
    layout->addWidget(m_message);
}

void InputFeedEdit::offerFilesOnly()
{
    for (const FeedKind kind : {FeedKind::Images, FeedKind::Random})
        m_kind->removeItem(m_kind->findData(QVariant::fromValue(kind)));
    m_kind->setItemText(m_kind->findData(QVariant::fromValue(FeedKind::Default)),
                        tr("Not named: generated"));
    m_kind->setAccessibleName(tr("What %1 is calibrated on").arg(QString::fromStdString(m_input)));
    m_kind->setToolTip(plainTip(m_kind->accessibleName()));
}

void InputFeedEdit::setType(const QString& type, const core::InputSpec& spec, bool channelsLast)
{
    m_type->setText(type);
    m_spec = spec;
    m_channelsLast = channelsLast;
}

void InputFeedEdit::setFeed(const std::optional<core::InputFeed>& feed)
{
    m_kind->setCurrentIndex(m_kind->findData(QVariant::fromValue(kindOf(feed))));
    m_feed = feed;
    if (feed)
        m_fields[static_cast<std::size_t>(kindOf(feed)) - 1]->setFeed(*feed);
    showFields();
    setProblem({});
}

FeedKind InputFeedEdit::kind() const
{
    return m_kind->currentData().value<FeedKind>();
}

// What a kind begins with; none where all of it has to be chosen, or stands there.
std::optional<core::InputFeed> InputFeedEdit::usualFeed(FeedKind kind) const
{
    switch (kind) {
    case FeedKind::Images:
        return core::ImageFeed{.channelsLast = m_channelsLast};
    case FeedKind::Random:
        return core::RandomFeed{.distribution = m_spec.distribution,
                                .lowest = m_spec.lowest,
                                .highest = m_spec.highest,
                                .mean = m_spec.mean,
                                .deviation = m_spec.deviation};
    case FeedKind::Text:
        if (m_tokenizer.empty() || m_fields[static_cast<std::size_t>(kind) - 1]->feed().ok())
            break;
        return core::TextFeed{.path = {}, .tokenizer = m_tokenizer};
    case FeedKind::Default:
    case FeedKind::File:
        break;
    }
    return std::nullopt;
}

void InputFeedEdit::chooseKind()
{
    if (const auto usual = usualFeed(kind()))
        m_fields[static_cast<std::size_t>(kind()) - 1]->setFeed(*usual);
    showFields();
    setObjection({});  // which was of another feed
    read(false);
}

void InputFeedEdit::read(bool typing)
{
    if (kind() == FeedKind::Default) {
        m_feed.reset();
        setProblem({});
        Q_EMIT feedEdited(typing);
        return;
    }
    const auto feed = m_fields[static_cast<std::size_t>(kind()) - 1]->feed();
    setProblem(feed.ok() ? QString() : QString::fromStdString(feed.error().message));
    if (!feed.ok())
        return;
    m_feed = feed.value();
    Q_EMIT feedEdited(typing);
}

void InputFeedEdit::showFields()
{
    for (std::size_t i = 0; i < m_fields.size(); ++i)
        m_fields[i]->setVisible(static_cast<std::size_t>(kind()) == i + 1);
}

void InputFeedEdit::setObjection(const QString& objection)
{
    m_objection = objection;
    showMessage();
}

void InputFeedEdit::setProblem(const QString& problem)
{
    const bool changed = m_problem != problem;
    m_problem = problem;
    showMessage();
    if (changed)
        Q_EMIT problemChanged();
}

void InputFeedEdit::showMessage()
{
    const QString message = m_problem.isEmpty() ? m_objection : m_problem;
    widgets::showMessage(*m_message, message);
    m_kind->setAccessibleDescription(message);
}

std::vector<std::string> namedInputs(const std::vector<core::InputSpec>& declared,
                                     const std::map<std::string, core::InputFeed>& fed)
{
    std::vector<std::string> inputs;
    for (const core::InputSpec& input : declared)
        inputs.push_back(input.name);
    for (const auto& [input, feed] : fed) {
        if (std::find(inputs.begin(), inputs.end(), input) == inputs.end())
            inputs.push_back(input);
    }
    return inputs;
}

bool keepRows(QList<InputFeedEdit*>& rows, const std::vector<std::string>& inputs,
              const QObject& listener)
{
    if (std::equal(inputs.begin(), inputs.end(), rows.begin(), rows.end(),
                   [](const std::string& input, const InputFeedEdit* row) {
                       return row->input() == input;
                   }))
        return true;
    // A dialog of one may be on the stack.
    for (InputFeedEdit* row : std::exchange(rows, {})) {
        row->hide();
        row->setObjectName({});
        row->disconnect(&listener);
        row->deleteLater();
    }
    return false;
}

}  // namespace qs::widgets

#include "moc_input_feed_edit.cpp"
