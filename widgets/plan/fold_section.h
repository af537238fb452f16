#pragma once

#include <QWidget>

class QToolButton;

namespace qs::widgets {

// A part of a panel that can be folded away. Folded, its head says in short what it holds.
class FoldSection final : public QWidget
{
    Q_OBJECT

public:
    FoldSection(const QString& title, QWidget* content, QWidget* parent = nullptr);

    void setOpen(bool open);
    [[nodiscard]] bool isOpen() const;
    // "all layers · attention auto"
    void setSummary(const QString& summary);

private:
    void showHead();

    QString m_title;
    QString m_summary;
    QToolButton* m_head;
    QWidget* m_content;
};

}  // namespace qs::widgets
