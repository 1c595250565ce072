"""NumPy's functions and operators, computed by `promote_dtypes.namespace("numpy")`, or by that of the rule set
`PROMOTE_PEERS_RULES`.

`rewritten` makes a copy of one of NumPy's test files in which operators, and functions of `numpy`, `umath` and
`operator`, come here. Operands of other dtypes than ours, of subclasses, or with options that ours do not have
(`where=`, `casting=`, `dtype=`) go on to NumPy, and are not counted. Ours give no floating-point warnings, so that
`pytest.warns(RuntimeWarning)` lets a case go on without one.
"""

import ast
import operator as python
import os
import types
import warnings

import ml_dtypes
import numpy as np
import promote_dtypes
import pytest

import counting
from operators import ARITHMETIC, COMPARISONS

RULES = os.environ.get("PROMOTE_PEERS_RULES", "numpy")
ours = promote_dtypes.namespace(RULES)

# NumPy's names where they are not ours.
NAMES = {
    "true_divide": "divide",
    "mod": "remainder",
    "power": "pow",
    "invert": "bitwise_not",
    "bitwise_invert": "bitwise_not",
    "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift",
    "absolute": "abs",
    "conjugate": "conj",
    "rint": "round",
} | {f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")}

# By the names of the module `operator`.
BINARY = (
    ARITHMETIC
    | {"and_": "bitwise_and", "or_": "bitwise_or", "xor": "bitwise_xor"}
    | {"lshift": "left_shift", "rshift": "right_shift"}
    | COMPARISONS
)
UNARY = {"neg": "negative", "pos": "positive", "abs": "abs", "invert": "bitwise_not"}
IN_PLACE = {f"i{name.strip('_')}": name for name in list(BINARY)[:12]}

# The reductions that `reduce` of a ufunc computes.
REDUCE = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}

# Characters of NumPy's own dtypes. Dtypes of `ml_dtypes` have some of these characters, too.
CHARACTERS = frozenset("?bBhHiIlLqQefdFD")


def has_arrays(dtype):
    """Returns true for a dtype that arrays of ours can have, and false for one that is in tables only."""
    try:
        ours.positive(np.zeros(1, dtype))
    except TypeError:
        return False
    return True


ML_DTYPES = {
    np.dtype(getattr(ml_dtypes, name))
    for name in dir(ml_dtypes)
    if RULES == "ml-dtypes" and isinstance(getattr(ml_dtypes, name), type) and has_arrays(getattr(ml_dtypes, name))
}


def is_ours(x, literal=True):
    """Returns true for an operand that our functions take."""
    if type(x) in (bool, int, float, complex):
        # NumPy makes floats of integers of more than 128 bits, if there are such floats.
        return literal and (type(x) is not int or -(2**127) <= x < 2**127 or abs(x) >= 2**1024)
    is_scalar = isinstance(x, np.generic) and type(x) is x.dtype.type
    if type(x) is not np.ndarray and not is_scalar:
        return False
    is_numpys = x.dtype.isbuiltin != 2
    return is_numpys and x.dtype.char in CHARACTERS or x.dtype in ML_DTYPES


def compute(name, operands, out=None, **options):
    counting.reached()
    function = getattr(ours, name)
    if out is not None:
        return function(*operands, out=out, **options)
    return function(*operands, **options)[()]


def result_type(*operands):
    def is_known(x):
        is_dtype = isinstance(x, np.dtype) or isinstance(x, type) and issubclass(x, np.generic)
        return np.dtype(x).char in CHARACTERS if is_dtype else is_ours(x)

    if operands and all(map(is_known, operands)):
        counting.reached()
        return np.dtype(ours.result_type(*operands))
    return np.result_type(*operands)


class Ufunc:
    """A ufunc of NumPy whose calls go to ours."""

    def __init__(self, original, name):
        self.original, self.name = original, name
        self.__name__ = original.__name__

    def __call__(self, *operands, out=None, **options):
        given = operands[: self.original.nin]
        if len(operands) == self.original.nin + 1 and out is None:
            out = operands[-1]
        if isinstance(out, tuple) and len(out) == 1:
            (out,) = out
        # NumPy makes arrays of sequences.
        arrays = [np.asarray(x) if isinstance(x, list | tuple) else x for x in given]
        if options or len(arrays) != self.original.nin or not all(map(is_ours, arrays)):
            return self.original(
                *operands, **({} if out is None or len(operands) > len(given) else {"out": out}), **options
            )
        if out is not None and not (type(out) is np.ndarray and is_ours(out)):
            return self.original(*given, out=out)
        return compute(self.name, arrays, out)

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, *more, **options):
        name = REDUCE.get(self.name, "")
        plain = dtype is None and out is None and not more and not options
        if name and plain and type(array) is np.ndarray and is_ours(array) and array.ndim:
            return compute(name, [array], axis=axis, keepdims=keepdims)
        return self.original.reduce(array, axis, dtype, out, keepdims, *more, **options)

    def __getattr__(self, name):
        return getattr(self.original, name)

    def __repr__(self):
        return repr(self.original)

    def __eq__(self, other):
        return self.original is getattr(other, "original", other)

    def __hash__(self):
        return hash(self.original)

    def __reduce__(self):
        return self.original.__reduce__()


class Module(types.ModuleType):
    """A module with some attributes replaced."""

    def __init__(self, original, replaced):
        super().__init__(original.__name__)
        self.__dict__.update(replaced)
        self.__dict__["_original"] = original

    def __getattr__(self, name):
        return getattr(self._original, name)


def ufuncs(module):
    found = {}
    for name in dir(module):
        value = getattr(module, name, None)
        other = NAMES.get(name, name)
        if isinstance(value, np.ufunc) and value.nout == 1 and hasattr(ours, other):
            found[name] = Ufunc(value, other)
    return found


# Operators of the scalars of `ml_dtypes` are no ufuncs.
ARRAYS = np.ndarray if RULES == "ml-dtypes" else np.generic | np.ndarray


def binary(name, a, b):
    if (
        (isinstance(a, ARRAYS) or isinstance(b, ARRAYS))
        and is_ours(a)
        and is_ours(b)
    ):
        return compute(BINARY[name], (a, b))
    return getattr(python, name)(a, b)


def unary(name, a):
    if isinstance(a, ARRAYS) and is_ours(a):
        return compute(UNARY[name], (a,))
    return getattr(python, name)(a)


def in_place(name, a, b):
    if type(a) is np.ndarray and is_ours(a) and is_ours(b):
        counting.reached()
        return getattr(ours, BINARY[IN_PLACE[name]])(a, b, in_place=True)
    if isinstance(a, np.generic):
        return binary(IN_PLACE[name], a, b)
    return getattr(python, name)(a, b)


def warns(expected_warning=Warning, **options):
    if expected_warning is not RuntimeWarning:
        return pytest.warns(expected_warning, **options)
    return warnings.catch_warnings(record=True)


def replace(names):
    """Replaces what a test file has imported."""
    operators = {name: lambda a, b, name=name: binary(name, a, b) for name in BINARY}
    operators |= {name: lambda a, name=name: unary(name, a) for name in UNARY}
    operators |= {name: lambda a, b, name=name: in_place(name, a, b) for name in IN_PLACE}
    modules = {
        np: ufuncs(np) | ({"result_type": result_type} if RULES == "numpy" else {}),
        np._core.umath: ufuncs(np._core.umath),
        python: operators,
        pytest: {"warns": warns},
    }
    made = {module: Module(module, found) for module, found in modules.items()}
    for name, value in list(names.items()):
        if isinstance(value, types.ModuleType) and value in made:
            names[name] = made[value]
        elif isinstance(value, np.ufunc) and value.__name__ in modules[np]:
            names[name] = modules[np][value.__name__]


def replaced(value):
    """Replaces NumPy's ufuncs in a list that a test file makes."""
    if isinstance(value, list):
        return [replaced(one) for one in value]
    name = NAMES.get(getattr(value, "__name__", ""), getattr(value, "__name__", ""))
    is_ours = isinstance(value, np.ufunc) and value.nout == 1 and hasattr(ours, name)
    return Ufunc(value, name) if is_ours else value


OPERATORS = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.USub: "neg",
    ast.UAdd: "pos",
    ast.Invert: "invert",
}


class Rewrite(ast.NodeTransformer):
    @staticmethod
    def call(function, operator, *operands):
        function = ast.Attribute(ast.Name("numpy_ops", ast.Load()), function, ast.Load())
        return ast.Call(function, [ast.Constant(operator), *operands], [])

    def visit_BinOp(self, node):
        self.generic_visit(node)
        name = OPERATORS.get(type(node.op))
        return self.call("binary", name, node.left, node.right) if name else node

    def visit_Compare(self, node):
        self.generic_visit(node)
        name = OPERATORS.get(type(node.ops[0])) if len(node.ops) == 1 else None
        return self.call("binary", name, node.left, node.comparators[0]) if name else node

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        name = OPERATORS.get(type(node.op))
        return self.call("unary", name, node.operand) if name else node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        name = OPERATORS.get(type(node.op))
        if name is None or not isinstance(node.target, ast.Name):
            return node
        old = ast.Name(node.target.id, ast.Load())
        return ast.Assign([node.target], self.call("in_place", f"i{name.strip('_')}", old, node.value))


def rewritten(text):
    """Returns the text of a test file with its operators and functions replaced."""
    tree = Rewrite().visit(ast.parse(text))
    function = ast.Attribute(ast.Name("numpy_ops", ast.Load()), "replaced", ast.Load())
    for node in tree.body:
        if isinstance(node, ast.Assign):
            node.value = ast.Call(function, [node.value], [])
    imports = [i for i, node in enumerate(tree.body) if isinstance(node, ast.Import | ast.ImportFrom)]
    tree.body[max(imports) + 1 : max(imports) + 1] = ast.parse(
        "import numpy_ops\nnumpy_ops.replace(globals())"
    ).body
    return ast.unparse(ast.fix_missing_locations(tree))
