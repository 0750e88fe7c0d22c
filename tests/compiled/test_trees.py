"""Trees gone through as by the functions of `ast`, which take longer."""

import ast
import random
import sys
from pathlib import Path

import pytest

from searchkit.kernel_language.trees import (
    StatementTransformer,
    Transformer,
    copied,
    located,
    nodes,
)

ROOT = Path(__file__).parents[2]
EVERYTHING = '''
import a.b as c, d
from .x import (y as z, w)
@decorated(1)
class K(Base, metaclass=M):
    """Text."""
    x: int = 3
    y: str
async def f(a, /, b: int = 1, *args, c, d=2, **more) -> None:
    global g
    async for i in rows: await i
    async with one as two, three: pass
    return [each async for each in row if each if not each], {1: 2, **more}, {3, *args}
def h():
    n = 1
    def inner():
        nonlocal n
        n += (m := 2)
        del a.b, c[1:2:3], d[...]
    try:
        raise E(1) from None
    except (A, B) as error:
        assert error, f"{error!r:>{n}} text"
    else: yield
    finally: yield from (lambda x, *y: x if y else not -x)(*args, **more)
    while a < b <= c is not d or e @ f:
        break
    else:
        (x, *y), z[0] = 1, 2.5j
    for x.a in {k: v for k, v in w}: continue
    match x:
        case 1 | None | "a": pass
        case [K(1, b=2), *rest] if rest: pass
        case {"k": v, **others} as all: pass
        case _: pass
'''
TEXTS = [
    EVERYTHING,
    "try: pass\nexcept* C: pass",
    *(["type X[T: int] = list[T]\ndef f[T](x: T): pass"] if sys.version_info >= (3, 12) else []),
    *(path.read_text() for path in sorted((ROOT / "searchkit/translation").glob("*.py"))[::8]),
]
LEFT_OUT = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
trees = pytest.mark.parametrize("tree", [*map(ast.parse, TEXTS)])


def shown(tree):
    return ast.dump(tree, include_attributes=True)


@trees
def test_all_nodes_are_met_in_the_order_of_ast(tree):
    assert nodes(tree) == [each for each in ast.walk(tree) if not isinstance(each, LEFT_OUT)]


@trees
def test_copies_share_no_nodes(tree):
    twin = copied(tree)
    assert shown(twin) == shown(tree)
    assert not set(map(id, nodes(twin))) & set(map(id, nodes(tree)))
    lists = [
        {id(value) for node in nodes(each) for value in vars(node).values() if type(value) is list}
        for each in (tree, twin)
    ]
    names = {id(each.names) for each in nodes(tree) if isinstance(each, (ast.Global, ast.Nonlocal))}
    assert lists[0] & lists[1] <= names | {
        id(each.kwd_attrs) for each in nodes(tree) if isinstance(each, ast.MatchClass)
    }


class _Changes:
    def visit_Name(self, node):
        return ast.copy_location(ast.Constant(7), node) if node.id in ("x", "self") else node

    def visit_Expr(self, node):
        return None

    def visit_Return(self, node):
        self.generic_visit(node)
        return [ast.copy_location(ast.Pass(), node), node]

    def visit_Call(self, node):
        return node

    def visit_arg(self, node):
        node.annotation = None
        return node


class Mine(_Changes, Transformer):
    pass


class Others(_Changes, ast.NodeTransformer):
    pass


@trees
def test_what_is_rewritten_is_rewritten_as_by_ast(tree):
    assert shown(Mine().visit(copied(tree))) == shown(Others().visit(copied(tree)))


class _Statements:
    def visit_Expr(self, node):
        return [ast.copy_location(ast.Pass(), node), node]

    def visit_Return(self, node):
        return ast.copy_location(ast.Pass(), node)


class MyStatements(_Statements, StatementTransformer):
    pass


class OtherStatements(_Statements, ast.NodeTransformer):
    pass


@trees
def test_statements_are_rewritten_as_by_ast(tree):
    wanted = shown(OtherStatements().visit(copied(tree)))
    assert shown(MyStatements().visit(copied(tree))) == wanted


@trees
def test_places_are_filled_in_as_by_ast(tree):
    choose = random.Random(1)
    tree = copied(tree)
    for each in nodes(tree):
        for name in each._attributes:
            if choose.random() < 0.3:
                delattr(each, name)
    assert shown(located(copied(tree))) == shown(ast.fix_missing_locations(tree))
