"""python-eval, call by call."""

from __future__ import annotations

import json
import random
import sys
import time
import unittest
from typing import Any

from braidwork.testing import call_tool, load_plugin
from cases import runs_of

plugin = load_plugin("tools/python-eval")


def ask(expression: Any) -> Any:
    return call_tool(plugin, "python_eval", {"expression": expression})


def value(expression: str) -> Any:
    result = ask(expression)
    assert "isError" not in result, result
    return result["output"]["result"]


class Values(unittest.TestCase):
    def test_are_those_of_python(self) -> None:
        for expression in [
            "1 + 2 * 3 - 4 / 5",
            "7 // 2, 7 % 2, -7 // 2, -7 % 3, 2 ** 10, 2 ** -1",
            "+3, -3, not 3, not 0",
            "1 < 2 < 3, 1 < 3 < 2, 1 == 1.0 != 2",
            "2 in [1, 2], 'b' in 'abc', 3 not in (1, 2)",
            "0 or 'x', 1 and '', 0 and 1 / 0, 1 or 1 / 0",
            "'yes' if 2 > 1 else 1 / 0",
            "'ab' + 'c' * 3, 2 * 'x'",
            "sum([1, 2.5]), len('four'), sorted([3, 1, 2]), max(1, 2), min('b', 'a')",
            "round(2.675, 2), round(7), abs(-2), int('12'), float('1.5'), str(3)",
            "None, True, 'a\\nb'",
        ]:
            with self.subTest(expression):
                self.assertEqual(json.loads(json.dumps(eval(expression))), value(expression))

    def test_are_integers_of_up_to_4096_bits(self) -> None:
        largest = "2 ** 4095 + (2 ** 4095 - 1)"
        self.assertEqual(str(2**4096 - 1), value(largest))
        self.assertIn("more than 4,096 bits", str(ask(f"{largest} + 1")))

    def test_say_what_they_are(self) -> None:
        kinds = {"1": "integer", "1.0": "number", "1 < 2": "boolean", "'1'": "string"}
        for expression, kind in {**kinds, "None": "null", "(1, 2)": "array"}.items():
            self.assertEqual(kind, ask(expression)["output"]["type"])

    def test_that_are_too_large_for_json_are_digits(self) -> None:
        self.assertEqual(2**53 - 1, value("2 ** 53 - 1"))
        self.assertEqual(str(2**53), value("2 ** 53"))
        self.assertEqual([str(2**100)], value("[2 ** 100]"))
        self.assertEqual("integer", ask("2 ** 100")["output"]["type"])

    def test_of_functions_are_numbers_too(self) -> None:
        self.assertEqual(120, value("factorial(5)"))
        self.assertEqual(10, value("comb(5, 2)"))
        self.assertEqual(5.0, value("hypot(3, 4)"))
        self.assertAlmostEqual(1.0, value("sin(radians(90))"))

    def test_of_any_arithmetic_are_those_of_python(self) -> None:
        source = random.Random(17)

        def grown(depth: int) -> str:
            if depth == 0 or source.random() < 0.2:
                return source.choice(["0", "1", "2", "3.5", "10", "0.25", "True"])
            left, right = grown(depth - 1), grown(depth - 1)
            sign = source.choice(["+", "-", "*", "/", "//", "%", "<", "==", "and", "or"])
            return f"({left} {sign} {right})"

        for _ in range(runs_of(500, 10)):
            expression = grown(4)
            try:
                expected = eval(expression)
            except ZeroDivisionError:
                self.assertIn("divides by zero", ask(expression)["output"])
                continue
            self.assertEqual(expected, value(expression), expression)


class Refusals(unittest.TestCase):
    def refused(self, reason: str, expression: Any) -> None:
        start = time.monotonic()
        result = ask(expression)
        self.assertLess(time.monotonic() - start, 2)
        self.assertIs(True, result.get("isError"), expression)
        self.assertIn(reason, result["output"])

    def test_of_names_attributes_and_other_calls(self) -> None:
        self.refused('the name "x"', "x + 1")
        self.refused('the name "__builtins__"', "__builtins__")
        self.refused('the attribute ".__class__"', "().__class__")
        self.refused('the attribute ".format" cannot be called', "'{0.__class__}'.format(1)")
        self.refused('the name "__import__" cannot be called', "__import__('os')")
        self.refused("the syntax Lambda cannot be called", "(lambda: 1)()")
        self.refused('the name "sin"', "sin")
        for name in ("open", "eval", "exec", "getattr", "type", "print", "input", "pow"):
            self.refused(f'the name "{name}" cannot be called', f"{name}(1)")

    def test_of_other_syntax(self) -> None:
        for expression, syntax in [
            ("[x for x in [1]]", "ListComp"),
            ("{1: 2}", "Dict"),
            ("{1, 2}", "Set"),
            ("f'{1}'", "JoinedStr"),
            ("[1, 2][0]", "Subscript"),
            ("(y := 1)", "NamedExpr"),
            ("lambda: 1", "Lambda"),
        ]:
            self.refused(f"the syntax {syntax}", expression)
        self.refused("the operator LShift", "1 << 2")
        self.refused("the operator Is", "1 is 1")
        self.refused("the operator MatMult", "1 @ 2")
        self.refused("not valid Python", "import os")
        self.refused("not valid Python", "1 +")
        self.refused("not valid Python", "1\0")
        self.refused("takes plain arguments", "max(*[1, 2])")
        self.refused("takes plain arguments", "sorted([1], reverse=True)")

    def test_of_values_that_are_none_of_json(self) -> None:
        self.refused("of type complex", "2j")
        self.refused("of type bytes", "b'x'")
        self.refused("of type ellipsis", "...")
        self.refused("not finite", "1e308 * 10")
        self.refused("not finite", "float('nan')")
        self.refused("not a real number", "(-8) ** 0.5")

    def test_of_what_would_be_too_much(self) -> None:
        self.refused("more than 4,096 bits", "9 ** 9 ** 9")
        self.refused("more than 4,096 bits", "10 ** 1000 * 10 ** 1000")
        self.refused("bits", "2 ** 10 ** 18")
        self.refused("longer than 10,000 characters", "'a' * 10 ** 9")
        self.refused("longer than 10,000 characters", "'a' * 9000 + 'b' * 9000")
        self.refused("takes whole numbers up to 400", "factorial(10 ** 9)")
        self.refused("at most 300 places", "round(5, -10 ** 18)")
        self.refused('"%" takes numbers', "'%1000000000d' % 1")
        self.refused("takes numbers, or a text", "[0] * 10 ** 9")
        self.refused("too large", "exp(1000)")
        self.refused("too large", "2.0 ** 10000")
        self.refused("too large", "10 ** 1000 / 3")
        self.refused("longer than 20,000 characters", "['a' * 10000, 'b' * 10000]")
        self.refused("nested deeper", "-" * 900 + "1")
        self.refused("not valid Python", "(" * 400 + "1" + ")" * 400)
        self.refused("nested deeper", "[" * 60 + "]" * 60)
        self.refused("longer than 1,000 characters", "1+" * 600 + "1")

    def test_of_what_python_refuses_with_its_reason(self) -> None:
        self.refused("divides by zero", "1 / 0")
        self.refused("cannot be evaluated: ", "sqrt(-1)")
        self.refused("cannot be evaluated: ", "'a' < 1")
        self.refused("cannot be evaluated: ", "max()")
        self.refused("cannot be evaluated: ", "int('x')")
        self.refused("takes whole numbers", "factorial(1.5)")
        self.refused("cannot be evaluated: ", "factorial(-1)")
        self.refused("it is empty", "  ")
        self.refused("needs", 5)

    def test_of_what_takes_too_long(self) -> None:
        module: Any = sys.modules[type(plugin).__module__]
        self.assertEqual(3, module.evaluate("1 + 2", seconds=60))
        with self.assertRaisesRegex(module.Refused, "too long"):
            module.evaluate("1 + 2", seconds=-1)

    def test_of_any_nonsense_are_results_and_no_errors(self) -> None:
        source = random.Random(23)
        signs = [
            "(",
            ")",
            "[",
            "]",
            "1",
            "2.5",
            "'a'",
            "**",
            "*",
            "-",
            "<",
            ",",
            "x",
            ".",
            "sum",
            "round",
            "not ",
            " in ",
            " if ",
            " else ",
            "\\",
            "\n",
            "🙂",
            "_",
            "e9",
            "0x",
            "\t",
        ]
        for _ in range(runs_of(3000, 10)):
            result = ask("".join(source.choice(signs) for _ in range(source.randint(1, 14))))
            self.assertEqual(isinstance(result["output"], str), result.get("isError", False))


if __name__ == "__main__":
    unittest.main(warnings="ignore")
