"""Golden ResNet files: the oracle still reproduces them, and each usual mistake would be seen against them."""
import collections
import pathlib
import sys
import tempfile
import unittest

import numpy
import torch
from safetensors.torch import load_file

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "oracle"))
import resnet  # noqa: E402

FOLDER = TESTS / "golden" / "resnet" / "w4"
BLOCKS = (2, 2, 2, 2)
MEAN = torch.tensor([0.4914, 0.4822, 0.4465], dtype=torch.float64).reshape(1, 3, 1, 1)
DEVIATION = torch.tensor([0.2023, 0.1994, 0.2010], dtype=torch.float64).reshape(1, 3, 1, 1)


def array(name):
    return torch.from_numpy(numpy.load(FOLDER / f"{name}.npy"))


class Golden(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        state = load_file(FOLDER / "model.safetensors")
        cls.names = {name: tuple(value.shape) for name, value in state.items()}
        cls.state = {name: value.double() for name, value in state.items()}
        cls.image = ((array("images").double() + 1) / 2 - MEAN) / DEVIATION

    def test_names_and_shapes_are_torchvisions(self):
        self.assertEqual(self.names, resnet.shapes(4, BLOCKS, 10))
        whole = resnet.shapes(64, BLOCKS, 10)
        parameters = sum(int(numpy.prod(shape)) for name, shape in whole.items()
                         if not name.endswith(("running_mean", "running_var", "num_batches_tracked")))
        self.assertEqual(parameters, 11_181_642)
        self.assertEqual(len(whole), 122)

    def test_a_saved_state_has_some_300_bytes_for_each_tensor(self):
        # The precision guide says 42.73: what get_model_size of its script finds.
        for dtype, mebibytes in ((torch.float32, 42.73), (torch.float16, 21.38)):
            state = collections.OrderedDict(
                (name, torch.zeros(shape, dtype=torch.int64 if name.endswith("num_batches_tracked") else dtype))
                for name, shape in resnet.shapes(64, BLOCKS, 10).items())
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "temp_model.pth"
                torch.save(state, file)
                self.assertAlmostEqual(file.stat().st_size / 2**20, mebibytes, delta=0.005)

    def test_the_oracle_reproduces_the_logits(self):
        logits = resnet.forward(self.state, BLOCKS, self.image)
        self.assertLess((logits - array("logits")).abs().max().item(), 1e-6)

    def test_each_mistake_would_be_seen(self):
        for slip in resnet.SLIPS:
            wrong = resnet.forward(self.state, BLOCKS, self.image, slip)
            self.assertGreater((wrong - array("logits")).abs().max().item(), 0.01, slip)
            self.assertLess((wrong - array(f"slip_{slip}")).abs().max().item(), 1e-6, slip)


if __name__ == "__main__":
    unittest.main()
