#pragma once

#include "widgets/plan/reason_texts.h"
#include "widgets/plan/swept_schemes.h"

#include <QList>
#include <QWidget>

#include <cstddef>
#include <optional>

class QCheckBox;
class QToolButton;
class QVBoxLayout;

namespace qs::widgets {

// A line for each variant of a scheme, and for each value that is neither a scheme nor a pair of
// them: its box, its parameters, and a button that takes it out.
class SchemeLines final : public QWidget
{
    Q_OBJECT

public:
    // `swept` outlives the lines.
    explicit SchemeLines(SweptSchemes& swept, QWidget* parent = nullptr);

    // Off: beside a matrix, which has the variants.
    void setVariantsShown(bool shown);
    // The swept schemes are others.
    void refresh();
    void setReasons(const Reasons& reasons);

Q_SIGNALS:
    // By a person.
    void edited();
    void optionsRequested(std::size_t entry, const QRect& place);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Line {
        std::optional<std::size_t> entry;  // none: a value of another kind
        QString value;
        QWidget* part = nullptr;
        QCheckBox* box = nullptr;
        QToolButton* options = nullptr;
        QToolButton* remove = nullptr;
    };

    [[nodiscard]] QList<Line> wanted() const;
    void build(Line& line);
    void show(const Line& line) const;
    void clear();
    void toggle(qsizetype place);
    void remove(qsizetype place);

    SweptSchemes& m_swept;
    bool m_variantsShown = true;
    Reasons m_reasons;
    QVBoxLayout* m_layout;
    QList<Line> m_lines;
};

}  // namespace qs::widgets
