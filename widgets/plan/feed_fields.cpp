#include "widgets/plan/feed_fields.h"

#include "widgets/models/plain_tip.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>

#include <array>

namespace qs::widgets {

namespace {

QString numberText(double value)
{
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString channelsText(const std::array<double, 3>& values)
{
    if (values[0] == values[1] && values[1] == values[2])
        return numberText(values[0]);
    return QStringLiteral("%1, %2, %3")
        .arg(numberText(values[0]), numberText(values[1]), numberText(values[2]));
}

// As the declaration has it: "0.485,0.456,0.406".
QString plainText(const QLineEdit* line)
{
    return line->text().remove(QLatin1Char(' '));
}

// What is being typed stays as it is, with its cursor, while it means the same.
void setText(QLineEdit* line, const QString& text)
{
    if (plainText(line) != QString(text).remove(QLatin1Char(' ')))
        line->setText(text);
}

// Labels and numbers, two beside each other.
class NumberFields : public FeedFields
{
protected:
    explicit NumberFields(QWidget* parent) : FeedFields(parent), m_grid(new QGridLayout(this))
    {
        m_grid->setContentsMargins(0, 0, 0, 0);
        m_grid->setHorizontalSpacing(6);
        m_grid->setVerticalSpacing(2);
        m_grid->setColumnStretch(1, 1);
        m_grid->setColumnStretch(3, 1);
    }

    QLabel* place(QWidget* field, const QString& title, int row, int column, int span = 1)
    {
        auto* label = new QLabel(title, this);
        label->setTextFormat(Qt::PlainText);
        label->setBuddy(field);
        field->setAccessibleName(title);
        m_grid->addWidget(label, row, 2 * column);
        m_grid->addWidget(field, row, 2 * column + 1, 1, span);
        return label;
    }

    QLineEdit* makeNumber(const char* name, const QString& tip)
    {
        auto* line = new QLineEdit(this);
        line->setObjectName(QString::fromLatin1(name));
        line->setToolTip(plainTip(tip));
        connect(line, &QLineEdit::textEdited, this, [this] { Q_EMIT edited(true); });
        return line;
    }

    QComboBox* makeChoice(const char* name, const QStringList& texts, const QString& tip)
    {
        auto* box = new QComboBox(this);
        box->setObjectName(QString::fromLatin1(name));
        box->addItems(texts);
        box->setToolTip(plainTip(tip));
        connect(box, &QComboBox::activated, this, [this] { Q_EMIT edited(false); });
        return box;
    }

private:
    QGridLayout* m_grid;
};

class ImageFields final : public NumberFields
{
public:
    explicit ImageFields(QWidget* parent)
        : NumberFields(parent),
          m_black(makeNumber("feed:black", tr("The value of black, before mean and std"))),
          m_white(makeNumber("feed:white", tr("The value of white, before mean and std: often 1 "
                                              "or 255"))),
          m_mean(makeNumber("feed:mean",
                            tr("Subtracted from each channel: one number, or red, green and blue. "
                               "ImageNet: 0.485, 0.456, 0.406"))),
          m_deviation(
              makeNumber("feed:std", tr("Each channel is divided by it: one number, or red, green "
                                        "and blue. ImageNet: 0.229, 0.224, 0.225"))),
          m_channels(
              makeChoice("feed:channels", {tr("RGB"), tr("BGR")}, tr("Order of the channels"))),
          m_layout(makeChoice("feed:layout", {tr("NCHW"), tr("NHWC")},
                              tr("Channels first: [batch, 3, height, width]. Channels last: "
                                 "[batch, height, width, 3]")))
    {
        place(m_black, tr("Black"), 0, 0);
        place(m_white, tr("White"), 0, 1);
        place(m_mean, tr("Mean"), 1, 0, 3);
        place(m_deviation, tr("Std"), 2, 0, 3);
        place(m_channels, tr("Channels"), 3, 0);
        place(m_layout, tr("Layout"), 3, 1);
        setFocusProxy(m_black);
    }

    void setFeed(const core::InputFeed& feed) override
    {
        const auto& images = std::get<core::ImageFeed>(feed);
        setText(m_black, numberText(images.black));
        setText(m_white, numberText(images.white));
        setText(m_mean, channelsText(images.mean));
        setText(m_deviation, channelsText(images.deviation));
        m_channels->setCurrentIndex(images.blueFirst ? 1 : 0);
        m_layout->setCurrentIndex(images.channelsLast ? 1 : 0);
    }

    core::Result<core::InputFeed> feed() const override
    {
        const QString text =
            QStringLiteral("images:range=%1..%2:mean=%3:std=%4:channels=%5:layout=%6")
                .arg(plainText(m_black), plainText(m_white), plainText(m_mean),
                     plainText(m_deviation),
                     m_channels->currentIndex() == 1 ? QStringLiteral("bgr")
                                                     : QStringLiteral("rgb"),
                     m_layout->currentIndex() == 1 ? QStringLiteral("nhwc")
                                                   : QStringLiteral("nchw"));
        return core::parseInputFeed(text.toStdString());
    }

private:
    QLineEdit* m_black;
    QLineEdit* m_white;
    QLineEdit* m_mean;
    QLineEdit* m_deviation;
    QComboBox* m_channels;
    QComboBox* m_layout;
};

class RandomFields final : public NumberFields
{
public:
    explicit RandomFields(QWidget* parent)
        : NumberFields(parent),
          m_distribution(makeChoice("feed:distribution", {tr("Uniform"), tr("Normal")},
                                    tr("Distribution of the values; whole numbers are uniform"))),
          m_first(makeNumber("feed:first", {})),
          m_second(makeNumber("feed:second", {}))
    {
        place(m_distribution, tr("Distribution"), 0, 0, 3);
        m_firstLabel = place(m_first, {}, 1, 0);
        m_secondLabel = place(m_second, {}, 1, 1);
        setFocusProxy(m_distribution);
        // Before the choice is told.
        connect(m_distribution, &QComboBox::currentIndexChanged, this, [this] {
            const std::array<QString, 2> shown{m_first->text(), m_second->text()};
            m_first->setText(m_other[0]);
            m_second->setText(m_other[1]);
            m_other = shown;
            nameNumbers();
        });
        nameNumbers();
    }

    void setFeed(const core::InputFeed& feed) override
    {
        const auto& random = std::get<core::RandomFeed>(feed);
        const bool normal = random.distribution == core::Distribution::Normal;
        m_distribution->setCurrentIndex(normal ? 1 : 0);
        m_other = {QStringLiteral("0"), QStringLiteral("1")};
        setText(m_first, numberText(normal ? random.mean : random.lowest));
        setText(m_second, numberText(normal ? random.deviation : random.highest));
    }

    core::Result<core::InputFeed> feed() const override
    {
        const QString form = isNormal() ? QStringLiteral("normal:mean=%1:std=%2")
                                        : QStringLiteral("uniform:range=%1..%2");
        return core::parseInputFeed(
            form.arg(plainText(m_first), plainText(m_second)).toStdString());
    }

private:
    [[nodiscard]] bool isNormal() const { return m_distribution->currentIndex() == 1; }

    void nameNumbers()
    {
        m_firstLabel->setText(isNormal() ? tr("Mean") : tr("Lowest"));
        m_secondLabel->setText(isNormal() ? tr("Std") : tr("Highest"));
        m_first->setAccessibleName(m_firstLabel->text());
        m_second->setAccessibleName(m_secondLabel->text());
        m_first->setToolTip(isNormal() ? tr("Mean of the values") : tr("Smallest value, included"));
        m_second->setToolTip(isNormal() ? tr("Standard deviation of the values")
                                        : tr("Largest value, included"));
    }

    QComboBox* m_distribution;
    QLineEdit* m_first;
    QLineEdit* m_second;
    std::array<QString, 2> m_other{QStringLiteral("0"),
                                   QStringLiteral("1")};  // distribution's numbers
    QLabel* m_firstLabel = nullptr;
    QLabel* m_secondLabel = nullptr;
};

}  // namespace

FeedFields* makeImageFields(QWidget* parent)
{
    return new ImageFields(parent);
}

FeedFields* makeRandomFields(QWidget* parent)
{
    return new RandomFields(parent);
}

}  // namespace qs::widgets

#include "moc_feed_fields.cpp"
