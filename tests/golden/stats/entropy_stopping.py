#!/usr/bin/env python3
"""Works out where the entropy criterion ends, for tst_stopping.cpp: straight from the definition, with numpy.

After each sample the Shannon entropy of all samples so far is taken; on even counts a line is fitted to the last 299
entropies. Sampling ends from ten samples on when its angle is at most 0.048 degrees and it explains at least 0.36 of the
variance. Prints the number of samples.
"""
import collections
import math

import numpy as np


def ending(sample):
    counts, entropies = collections.Counter(), []
    for i in range(1, 100_001):
        counts[sample(i)] += 1
        shares = np.array(list(counts.values())) / i
        entropies.append(float(-(shares * np.log2(shares)).sum()))
        if i < 10 or i % 2:
            continue
        y = np.array(entropies[-299:])
        x = np.arange(len(y))
        slope, offset = np.polyfit(x, y, 1)
        total = ((y - y.mean()) ** 2).sum()
        r2 = 1.0 if total < 1e-24 else 1 - ((y - slope * x - offset) ** 2).sum() / total
        if math.degrees(math.atan2(slope, 1)) <= 0.048 and r2 >= 0.36:
            return i
    return None


print("steady", ending(lambda i: 0.0625))
print("coarse", ending(lambda i: 1e-4 + 5e-7 * (i * i % 7)))
print("many", ending(lambda i: 1e-4 + 5e-7 * (i * i % 211)))
print("fine", ending(lambda i: 1e-4 + 1e-9 * i))
