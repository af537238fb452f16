#pragma once

#include "core/base/result.h"
#include "core/model/input_feed.h"

#include <QWidget>

namespace qs::widgets {

// What an input can be fed with. Default: what the model itself says, which is random values.
enum class FeedKind { Default, Images, Random, File, Text };

// The fields of one kind of feed.
class FeedFields : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    // Of the kind of these fields.
    virtual void setFeed(const core::InputFeed& feed) = 0;
    // What stands there, or what is wrong with it.
    [[nodiscard]] virtual core::Result<core::InputFeed> feed() const = 0;

Q_SIGNALS:
    // By a person; `typing`: letter by letter.
    void edited(bool typing);
};

[[nodiscard]] FeedFields* makeImageFields(QWidget* parent);
[[nodiscard]] FeedFields* makeRandomFields(QWidget* parent);
[[nodiscard]] FeedFields* makeFileFields(QWidget* parent);
[[nodiscard]] FeedFields* makeTextFields(QWidget* parent);

}  // namespace qs::widgets
