#pragma once

#include <QStringList>
#include <QWidget>

#include <map>
#include <string>

class QLabel;
class QLineEdit;

namespace qs::widgets {

class ChoiceList;

// Which layers are quantized: the usual scopes to tick, and others to type ("mlp -first2",
// "regex:decoder.*fc1").
class LayerScopeEdit final : public QWidget
{
    Q_OBJECT

public:
    explicit LayerScopeEdit(QWidget* parent = nullptr);

    void setValues(const QStringList& values);
    void setReasons(const std::map<std::string, std::string>& reasons);

Q_SIGNALS:
    void valuesEdited(const QStringList& values);

private:
    void check();
    void add();

    ChoiceList* m_list;
    QLineEdit* m_own;
    QLabel* m_message;
};

}  // namespace qs::widgets
