"""The golden agreement figures are those that the oracle gives, to the last digits of double precision."""
import json
import math
import unittest

import agreement


class Golden(unittest.TestCase):
    def compare(self, found, wanted, place="golden"):
        if isinstance(wanted, dict):
            self.assertEqual(found.keys(), wanted.keys(), place)
            for key, value in wanted.items():
                self.compare(found[key], value, f"{place}.{key}")
        elif isinstance(wanted, list):
            self.assertEqual(len(found), len(wanted), place)
            for index, value in enumerate(wanted):
                self.compare(found[index], value, f"{place}[{index}]")
        elif isinstance(wanted, float):
            self.assertTrue(math.isclose(found, wanted, rel_tol=1e-10, abs_tol=1e-13), (place, found, wanted))
        else:
            self.assertEqual(found, wanted, place)

    def test_files_are_what_the_oracle_gives(self):
        self.compare(agreement.golden(), json.loads(agreement.GOLDEN.read_text()))


if __name__ == "__main__":
    unittest.main()
