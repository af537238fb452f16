#include "widgets/plan/feed_fields.h"
#include "widgets/plan/path_edit.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>

namespace qs::widgets {

namespace {

core::Error missing(const QString& what)
{
    return {core::ErrorCode::InvalidArgument, what.toStdString()};
}

QFormLayout* makeForm(QWidget* part)
{
    auto* form = new QFormLayout(part);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(2);
    return form;
}

// As it will be read again from a preset.
core::Result<core::InputFeed> checked(const core::InputFeed& feed)
{
    return core::parseInputFeed(core::inputFeedText(feed));
}

// Tensors, or lists of token ids.
class FileFields final : public FeedFields
{
public:
    explicit FileFields(QWidget* parent)
        : FeedFields(parent),
          m_file(new PathEdit(QStringLiteral("feed:file"), tr("File of samples"),
                              tr("Samples (*.npy *.safetensors *.txt *.json)"), this)),
          m_tensor(new QLineEdit(this))
    {
        m_file->line()->setToolTip(tr("Samples along the first dimension: a .npy, a tensor of a "
                                      ".safetensors, or token ids: a .txt with a line, or a "
                                      ".json with a list, for each sample"));
        m_tensor->setObjectName(QStringLiteral("feed:tensor"));
        m_tensor->setAccessibleName(tr("Tensor"));
        m_tensor->setPlaceholderText(tr("its only one"));
        m_tensor->setToolTip(tr("Name of the tensor in the .safetensors; empty: its only one"));
        m_form = makeForm(this);
        m_form->addRow(tr("File"), m_file);
        m_form->addRow(tr("Tensor"), m_tensor);
        setFocusProxy(m_file);
        connect(m_file, &PathEdit::edited, this, [this](bool typing) {
            showTensor();
            Q_EMIT edited(typing);
        });
        connect(m_tensor, &QLineEdit::textEdited, this, [this] { Q_EMIT edited(true); });
        showTensor();
    }

    void setFeed(const core::InputFeed& feed) override
    {
        const auto& file = std::get<core::FileFeed>(feed);
        m_file->setPath(QString::fromStdString(file.path));
        if (const QString tensor = QString::fromStdString(file.tensor); tensor != m_tensor->text())
            m_tensor->setText(tensor);
        showTensor();
    }

    core::Result<core::InputFeed> feed() const override
    {
        if (m_file->path().isEmpty())
            return missing(tr("Choose a .npy, .safetensors, .txt or .json file"));
        return checked(core::FileFeed{m_file->path().toStdString(),
                                      hasTensors() ? m_tensor->text().trimmed().toStdString()
                                                   : std::string()});
    }

private:
    [[nodiscard]] bool hasTensors() const
    {
        return m_file->path().endsWith(QStringLiteral(".safetensors"));
    }
    void showTensor()
    {
        m_tensor->setVisible(hasTensors());
        m_form->labelForField(m_tensor)->setVisible(hasTensors());
    }

    PathEdit* m_file;
    QLineEdit* m_tensor;
    QFormLayout* m_form;
};

class TextFields final : public FeedFields
{
public:
    explicit TextFields(QWidget* parent)
        : FeedFields(parent),
          m_prompts(new PathEdit(QStringLiteral("feed:prompts"), tr("File of prompts"),
                                 tr("Prompts (*.txt)"), this)),
          m_tokenizer(new PathEdit(QStringLiteral("feed:tokenizer"), tr("Tokenizer"),
                                   tr("Tokenizers (*.json)"), this)),
          m_length(new QComboBox(this)),
          m_pad(new QLineEdit(this))
    {
        m_prompts->line()->setToolTip(tr("Text with a prompt in each line. \\n within a line is a "
                                         "line break"));
        m_tokenizer->line()->setToolTip(tr("The tokenizer.json that belongs to the model"));
        m_length->setObjectName(QStringLiteral("feed:length"));
        m_length->setAccessibleName(tr("Length"));
        // In the order of Length.
        m_length->addItems({tr("of the input"), tr("its own"), tr("pieces of the whole text")});
        m_length->setToolTip(tr("Of the input: longer prompts are cut at the end. Its own: each "
                                "prompt is answered by itself, in eager cells; passes that are "
                                "timed have the length of the input. Pieces: the prompts one "
                                "behind the other, cut into samples"));
        m_pad->setObjectName(QStringLiteral("feed:pad"));
        m_pad->setAccessibleName(tr("Pad"));
        m_pad->setToolTip(tr("Token id put in front of prompts that are shorter than the input; "
                             "the model reads it as a part of them"));
        m_pad->setPlaceholderText(tr("none: shorter prompts are refused"));
        m_form = makeForm(this);
        m_form->addRow(tr("Prompts"), m_prompts);
        m_form->addRow(tr("Tokenizer"), m_tokenizer);
        m_form->addRow(tr("Length"), m_length);
        m_form->addRow(tr("Pad"), m_pad);
        setFocusProxy(m_prompts);
        for (const PathEdit* path : {m_prompts, m_tokenizer})
            connect(path, &PathEdit::edited, this, &FeedFields::edited);
        connect(m_pad, &QLineEdit::textEdited, this, [this] { Q_EMIT edited(true); });
        connect(m_length, &QComboBox::activated, this, [this] {
            showPad();
            Q_EMIT edited(false);
        });
        showPad();
    }

    void setFeed(const core::InputFeed& feed) override
    {
        const auto& text = std::get<core::TextFeed>(feed);
        m_prompts->setPath(QString::fromStdString(text.path));
        m_tokenizer->setPath(QString::fromStdString(text.tokenizer));
        const QString pad = text.pad ? QString::number(*text.pad) : QString();
        if (pad != m_pad->text().trimmed())
            m_pad->setText(pad);
        m_length->setCurrentIndex(text.ownLengths ? OwnLength : text.pieces ? Pieces : InputLength);
        showPad();
    }

    core::Result<core::InputFeed> feed() const override
    {
        if (m_prompts->path().isEmpty())
            return missing(tr("Choose a .txt file with a prompt in each line"));
        if (m_tokenizer->path().isEmpty())
            return missing(tr("Choose the tokenizer.json of the model"));
        core::TextFeed feed{m_prompts->path().toStdString(), m_tokenizer->path().toStdString()};
        feed.pieces = m_length->currentIndex() == Pieces;
        feed.ownLengths = m_length->currentIndex() == OwnLength;
        const QString pad = m_pad->text().trimmed();
        if (isPadded() && !pad.isEmpty()) {
            bool whole = false;
            feed.pad = pad.toLongLong(&whole);
            if (!whole)
                return missing(tr("Pad is a token id, such as 0"));
        }
        return checked(feed);
    }

private:
    enum Length { InputLength, OwnLength, Pieces };

    // Other lengths fill nothing up.
    [[nodiscard]] bool isPadded() const { return m_length->currentIndex() == InputLength; }
    void showPad()
    {
        m_pad->setVisible(isPadded());
        m_form->labelForField(m_pad)->setVisible(isPadded());
    }

    PathEdit* m_prompts;
    PathEdit* m_tokenizer;
    QComboBox* m_length;
    QLineEdit* m_pad;
    QFormLayout* m_form;
};

}  // namespace

FeedFields* makeFileFields(QWidget* parent)
{
    return new FileFields(parent);
}

FeedFields* makeTextFields(QWidget* parent)
{
    return new TextFields(parent);
}

}  // namespace qs::widgets
