#pragma once

#include "core/graph/call_reader.h"

// The types of results by PyTorch's rules, one function for each shape of operation. Each reads the
// arguments under the names of the ATen schema; see CallReader for what happens to wrong ones.
namespace qs::core::rules {

// rules_elementwise.cpp
void sameAsSelf(CallReader& call);
void floatingUnary(CallReader& call);  // integers become float32
void toBool(CallReader& call);
void withTensor(CallReader& call);
void quotient(CallReader& call);
void withNumber(CallReader& call);
void quotientByNumber(CallReader& call);
void power(CallReader& call);
void powerOfTensor(CallReader& call);
void clamp(CallReader& call);
void comparison(CallReader& call);
void integersWithNumber(CallReader& call);
void where(CallReader& call);
void maskedFill(CallReader& call);
void inPlace(CallReader& call);
void inPlaceWithNumber(CallReader& call);
void cast(CallReader& call);

// Never fits: what a region gives is known to those that take it out of a graph.
void region(CallReader& call);

// rules_reduction.cpp
void mean(CallReader& call);
void sum(CallReader& call);
void extremum(CallReader& call);
void argmax(CallReader& call);
void softmax(CallReader& call);
void cumulative(CallReader& call);
void layerNorm(CallReader& call);
void rmsNorm(CallReader& call);
void batchNorm(CallReader& call);
void batchNormWithStatistics(CallReader& call);
void maxPool2d(CallReader& call);
void averagePool2d(CallReader& call);
void adaptiveAveragePool2d(CallReader& call);
void bicubicResize(CallReader& call);
void resizeByFactor(CallReader& call);
void anyOf(CallReader& call);
void extremumWithPlace(CallReader& call);
void groupNorm(CallReader& call);
void largest(CallReader& call);
void variance(CallReader& call);
void vectorNorm(CallReader& call);

// rules_product.cpp
void linear(CallReader& call);
void convolution2d(CallReader& call);
void transposedConvolution2d(CallReader& call);
void int8Convolution(CallReader& call);
void int8Layout(CallReader& call);
void matmul(CallReader& call);
void matrixProduct(CallReader& call);
void addedProduct(CallReader& call);
void batchedProduct(CallReader& call);
void integerProduct(CallReader& call);
void scaledProduct(CallReader& call);
void attention(CallReader& call);

// rules_layout.cpp
void view(CallReader& call);
void reshape(CallReader& call);
void expand(CallReader& call);
void transpose(CallReader& call);
void permute(CallReader& call);
void matrixTranspose(CallReader& call);
void unsqueeze(CallReader& call);
void squeeze(CallReader& call);
void flatten(CallReader& call);
void select(CallReader& call);
void slice(CallReader& call);
void unbind(CallReader& call);
void chunk(CallReader& call);
void split(CallReader& call);
void splitWithSizes(CallReader& call);
void concatenate(CallReader& call);
void stack(CallReader& call);
void padConstant(CallReader& call);
void flip(CallReader& call);
void repeat(CallReader& call);
void pixelShuffle(CallReader& call);

// rules_index.cpp
void embedding(CallReader& call);
void indexSelect(CallReader& call);
void gather(CallReader& call);
void index(CallReader& call);
void indexCopy(CallReader& call);
void indexPut(CallReader& call);
void arange(CallReader& call);
void filled(CallReader& call);

}  // namespace qs::core::rules
