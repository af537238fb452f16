#pragma once

#include "widgets/plan/swept_schemes.h"

#include <QFrame>

#include <cstddef>

class QLabel;
class QListWidget;
class QToolButton;

namespace qs::widgets {

class ParameterForm;

// The variants of one scheme and their parameters, in a popup beside what opened it: nothing moves
// for it. A change to the defaults makes a variant of its own. What is edited counts at once.
class VariantPanel final : public QFrame
{
    Q_OBJECT

public:
    // `swept` outlives the panel; `offered`: a place among offeredSchemes().
    VariantPanel(SweptSchemes& swept, std::size_t offered, QWidget* parent);

    // Beside a place on the screen, with this entry selected.
    void openAt(const QRect& place, std::size_t entry);

Q_SIGNALS:
    // The entries are others, if not the values. `what` completes "Undo …"; typing: more of the
    // same will come.
    void edited(const QString& what, bool typing);
    void closed();

protected:
    void closeEvent(QCloseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QWidget* buildVariants();
    [[nodiscard]] QWidget* buildFoot();
    void build();
    void fillList();
    void selectEntry(std::size_t entry);
    [[nodiscard]] std::size_t current() const;
    [[nodiscard]] QString titleOf(std::size_t entry) const;
    // "variant 2 of int8sq"
    [[nodiscard]] QString stepText() const;
    void showCurrent();
    void changeCurrent();
    void duplicate();
    void removeCurrent();

    SweptSchemes& m_swept;
    std::size_t m_offered;
    QListWidget* m_list;
    QToolButton* m_duplicate;
    QToolButton* m_remove;
    ParameterForm* m_form;
    QLabel* m_help;
    QLabel* m_text;
};

}  // namespace qs::widgets
