#pragma once

namespace qs::tests {

// "toy-N": weights as whole numbers of 1/N, 2 … 64, in int8; "toy-16:keep_bias=no" leaves the bias
// out. Lives outside the product: no file of it knows the name.
void registerToyScheme();

// "twice:times=3": the eager pass so many times in a row, twice by default.
void registerToyCompileMode();

}  // namespace qs::tests
