#pragma once

#include <QThreadPool>

#include <memory>
#include <utility>

namespace qs::widgets {

// Lets go of a value on a thread of the pool: a hundred thousand rows take long to go.
template <typename Value>
void dropInPool(std::shared_ptr<Value> value)
{
    QThreadPool::globalInstance()->start([value = std::move(value)]() mutable { value.reset(); });
}

}  // namespace qs::widgets
