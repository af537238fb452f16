"""What a package multiplies with, read from the calls of its wrapper as Inductor writes them."""
import importlib.util
import pathlib
import tempfile
import unittest
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "core/engine/compile/compiled_products.py"


def made(dtype, name):
    return (f"AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_0, int_array_1, cached_torch_dtype_{dtype}, "
            f"cached_torch_device_type_cuda, this->device_idx_, &{name}_handle));")


def template(name, *buffers):
    return f"call_triton_tem_fused_{name}({', '.join(buffers)}, 16L, this->device_idx_, stream, kernels, this->cubin_dir_);"


class CompiledProducts(unittest.TestCase):
    def setUp(self):
        spec = importlib.util.spec_from_file_location("compiled_products", SOURCE)
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)

    def products(self, *lines):
        return {(each["operation"], each["type"]): each["count"] for each in self.reported(*lines)}

    def reported(self, *lines):
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder) / "a.pt2"
            with zipfile.ZipFile(package, "w") as archive:
                archive.writestr("data/aotinductor/model/a.wrapper.cpp", "\n".join(lines))
            return self.module.products(package)

    def test_a_tuned_integer_product_that_goes_on_to_bfloat16_sums_integers(self):
        self.assertEqual(self.products(made("int8", "buf0"), made("int32", "buf1"), made("bfloat16", "buf2"),
                                       template("_int_mm_t_view_1", "buf0", "arg1_1", "buf1"),
                                       template("_int_mm__to_copy_mul_t_view_8", "buf0", "arg1_1", "arg2_1", "buf2")),
                         {("aten::_int_mm", "int32"): 2})

    def test_a_layer_left_in_bfloat16_is_one(self):
        self.assertEqual(self.products(made("bfloat16", "buf0"), made("bfloat16", "buf1"),
                                       template("addmm_t_view_0", "buf0", "arg1_1", "buf1"),
                                       "AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cuda_mm_out(buf1, buf0, arg1_1));"),
                         {("aten::linear", "bfloat16"): 2})

    def test_calls_name_the_weights_and_inputs_that_they_read(self):
        lines = ['constants_info_[1].original_fqn = "blocks.0.fc1.weight:codes";', "auto arg4_1 = std::move(inputs[0]);",
                 "[[maybe_unused]] auto& blocks_0_codes = constants_->at(1);", made("int32", "buf0"),
                 "AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu__int_mm_out(buf0, arg4_1, wrap_with_raii_handle_if_needed("
                 "reinterpret_tensor_wrapper(blocks_0_codes, 2, int_array_2, int_array_3, 0L))));"]
        self.assertEqual([each["operands"] for each in self.reported(*lines)], [["#0", "blocks.0.fc1.weight:codes"]])


if __name__ == "__main__":
    unittest.main()
