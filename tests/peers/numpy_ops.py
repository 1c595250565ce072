"""NumPy's functions and operators, computed by `promote_dtypes.namespace("numpy")`, or by that of the rule set
`PROMOTE_PEERS_RULES`.

`rewritten` makes a copy of one of NumPy's test files in which operators, and functions of `numpy`, `umath` and
`operator`, come here. Options that ours do not have (`where`, `initial`, and `dtype` and `casting` of elementwise
functions) choose among the results of ours, or cast before and after them. Operands of other dtypes than ours and
of subclasses, and other options, go on to NumPy. Ours give no floating-point warnings, so that
`pytest.warns(RuntimeWarning)` lets a case go on without one.
"""

import ast
import inspect
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

# The reductions that `reduce` of a ufunc computes, and their results on no elements.
REDUCE = {
    "add": ("sum", 0),
    "multiply": ("prod", 1),
    "maximum": ("max", None),
    "minimum": ("min", None),
    "logical_and": ("all", True),
    "logical_or": ("any", False),
}

# The options of elementwise ufuncs that come here.
ELEMENTWISE = {"where", "dtype", "casting"}

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
    if out is Ellipsis:
        return function(*operands, **options)
    if out is not None:
        return function(*operands, out=out, **options)
    return function(*operands, **options)[()]


def compute_with(name, operands, out, where=True, dtype=None, casting="same_kind"):
    """Computes with the options of a ufunc."""
    counting.reached()
    if dtype is not None:
        operands = [ours.astype(np.asarray(x), np.dtype(dtype), casting=casting) for x in operands]
    if where is True and (out is None or casting == "same_kind"):
        return compute(name, operands, out)
    result = compute(name, operands, Ellipsis)
    if out is None or out is Ellipsis:
        out = np.empty(np.broadcast_shapes(result.shape, np.shape(where)), result.dtype)
    np.copyto(out, result, casting, where)
    return out


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

    def __call__(self, *operands, **options):
        count, out = self.original.nin, options.get("out")
        others = {name: value for name, value in options.items() if name != "out"}
        into = operands[-1] if len(operands) == count + 1 and out is None else out
        if isinstance(into, tuple) and len(into) == 1:
            (into,) = into
        # NumPy makes arrays of sequences.
        arrays = [np.asarray(x) if isinstance(x, list | tuple) else x for x in operands[:count]]
        is_call = len(arrays) == count and (len(operands) == count or len(operands) == count + 1 and out is None)
        if is_call and all(map(is_ours, arrays)):
            is_out = into is None or into is out is Ellipsis or type(into) is np.ndarray and is_ours(into)
            if is_out and self.takes(arrays, others):
                return compute_with(self.name, arrays, into, **others)
            counting.passes_on(self.name, options)
        return self.original(*operands, **options)

    def takes(self, operands, options):
        """Returns true if ours compute with these options."""
        if not options.keys() <= ELEMENTWISE or type(options.get("where", True)) not in (bool, list, np.ndarray):
            return False
        if options.get("dtype") is None:
            # Other levels of casts speak of the dtypes of a loop.
            return options.get("casting", "same_kind") in ("same_kind", "unsafe")
        try:
            dtype = np.dtype(options["dtype"])
        except TypeError:
            return False
        # The dtype has to be that of the operands and of the result of a loop. NumPy has rules of its own for casts
        # of Python's numbers to it.
        has_loop = f"{dtype.char * self.original.nin}->{dtype.char}" in self.original.types
        is_known = dtype.char in CHARACTERS - {"?"} and dtype.isnative
        return has_loop and is_known and not any(type(x) in (bool, int, float, complex) for x in operands)

    def reduce(self, *arguments, **options):
        try:
            given = REDUCTION.bind(self, *arguments, **options)
        except TypeError:
            return self.original.reduce(*arguments, **options)
        found = self.reduced(*given.args[1:], **given.kwargs)
        if found is NotImplemented:
            return self.original.reduce(*arguments, **options)
        return found

    def reduced(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=np._NoValue, where=True):
        """Returns what our reduction computes, and `NotImplemented` if there is none."""
        name, identity = REDUCE.get(self.name, ("", None))
        if not name or type(array) is not np.ndarray or not is_ours(array) or not array.ndim:
            return NotImplemented
        starts, chooses = initial is not np._NoValue, where is not True
        # NumPy refuses these, or needs no element.
        is_refused = starts and initial is None or identity is None and (array.size == 0 or chooses and not starts)
        is_refused |= chooses and np.broadcast_shapes(array.shape, np.shape(where)) != array.shape
        takes_out = out is None or type(out) is np.ndarray and is_ours(out) and out.dtype.isnative and not starts
        takes_dtype = dtype is None or name in ("sum", "prod") and is_ours(np.empty(0, dtype))
        if is_refused or not takes_out or not takes_dtype:
            given = {"dtype": dtype, "out": out, "initial": initial if starts else None, "where": where if chooses else None}
            counting.passes_on(f"{self.name}.reduce", [option for option, value in given.items() if value is not None])
            return NotImplemented
        counting.reached()
        if chooses:
            fill = initial if identity is None else identity
            array = ours.where(np.asarray(where), array, array.dtype.type(fill))
        named = {} if dtype is None else {"dtype": np.dtype(dtype)}
        result = compute(name, [array], out, axis=axis, keepdims=keepdims, **named)
        return compute(self.name, [result, result.dtype.type(initial)]) if starts else result

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


REDUCTION = inspect.signature(Ufunc.reduced)


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
