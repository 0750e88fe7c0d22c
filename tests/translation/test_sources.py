"""Functions and their sources: what is translated is what Python runs."""

import ast
import inspect
import linecache
import textwrap

import pytest

from searchkit.errors import CompilationError
from searchkit.kernel_language import definition
from searchkit.kernel_language.definition import source_of
from searchkit.kernel_language.site import Site
from searchkit.translation.calls import split_source

UP, DOWN = (lambda s: s[0] + 1), (lambda s: s[0] - 1)
TABLE = {
    "twice": lambda s: 2 * s,
    "half": lambda s: s // 2,
}


def site(function):
    return Site("rule", function.__code__.co_filename)


def made(text, name="rule", **given):
    """A function of a text that stands in a file."""
    file = f"/made/source{made.count}.py"
    made.count += 1
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space = {"__name__": "made", **given}
    exec(compile(text, file, "exec"), space)
    return space[name], file


made.count = 0

AROUND = """\
def around():
    n = 1
    def rule(s):
        return n + s
    return rule
rule = around()
"""
CHANGES = [
    ("def rule(s):\n    return 'ab'\n", "'ab'", "'ba'"),
    ("def rule(s):\n    return s + 1\n", "1", "True"),
    ("def rule(s):\n    return s + 1\n", "1", "1.0"),
    ("def rule(s):\n    return s * 0.0\n", "0.0", "-0.0"),
    ("def rule(s):\n    return s in {'a', 'b'}\n", "'b'", "'c'"),
    ("def rule(s):\n    return s in ((1, 2), (3, 4))\n", "3", "5"),
    ("def rule(s):\n    return [x for x in s if x != 'a']\n", "'a'", "'b'"),
    ("def rule(s):\n    '''Of one.'''\n    return 'x'\n", "'x'", "'y'"),
    (AROUND, "n + s", "n - s"),
    ("rule = lambda s: s + 1\n", "+", "-"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "before", "after"), CHANGES)
def test_a_source_that_has_changed_is_refused(text, before, after):
    rule, file = made(text)
    source_of(rule, site(rule))
    lines = text.replace(before, after).splitlines(True)
    linecache.cache[file] = (len(text), None, lines, file)
    with pytest.raises(CompilationError, match="has changed since it was imported"):
        source_of(rule, site(rule))


class Base:
    def told(self):
        return "base"


class Derived(Base):
    def told(self):
        return super().told()

    def lines(self):
        """Texts of several lines keep their spaces."""
        return """one
        two"""


def test_texts_of_several_lines_are_not_dedented():
    definition = source_of(Derived.lines, site(Derived.lines))
    (value,) = (node.value for node in definition.body)
    assert value.value == "one\n        two"
    assert value.lineno == Derived.lines.__code__.co_firstlineno + 2


def test_methods_that_use_super_have_a_source():
    assert source_of(Derived.told, site(Derived.told)).name == "told"


@pytest.mark.parametrize(
    ("function", "text"), [(UP, "s[0] + 1"), (DOWN, "s[0] - 1"), (TABLE["half"], "s // 2")]
)
def test_of_several_lambdas_the_right_one_is_found(function, text):
    definition = split_source(function).definition
    assert ast.unparse(definition.body[0].value) == text


def test_what_was_made_of_a_text_has_no_source():
    space = {}
    exec("def rule(s):\n    return s", space)
    with pytest.raises(CompilationError, match=r"made of a text, by exec or python -c"):
        source_of(space["rule"], site(space["rule"]))


ENDS = [
    "    return (\n        s\n    )\n",
    "    return (\n        s\n)\n",
    "    return '''a\nb'''\n",
    "    if s:\n        return 1\n    return 2\n    print(3)\n",
    "    s += 1\n    # so\n\n    pass\n# and so\n",
    "    x: int\n",
    "    return [\n        each\n        for each in s\n    ]  # all\n",
    "    while s:\n        s -= 1\n    else:\n        pass\n",
    "    'Of one.'\n    '''And\nmore.'''\n",
    "    def inner():\n        return (\n            1)\n    return inner()\n",
    "    return s\n",
]


@pytest.mark.parametrize("is_indented", [False, True])
@pytest.mark.parametrize("after", ["", "x = 1\n", "# no\n\n@print\ndef other():\n    pass\n"])
@pytest.mark.parametrize("end", ENDS)
def test_all_lines_of_a_function_are_found(end, after, is_indented):
    text = f"def rule(s):\n{end}{after}"
    if is_indented:
        text = "if True:\n" + textwrap.indent(text, "  ", lambda line: "more." not in line)
    rule, _ = made(text)
    whole = ast.parse(text)
    wanted = next(e for e in ast.walk(whole) if isinstance(e, ast.FunctionDef) and e.name == "rule")
    if ast.get_docstring(wanted) is not None:
        wanted.body = wanted.body[1:]
    found = source_of(rule, site(rule))
    assert ast.dump(found, include_attributes=True) == ast.dump(wanted, include_attributes=True)


@pytest.mark.parametrize("module", [definition, textwrap, linecache], ids=lambda m: m.__name__)
def test_the_lines_are_those_that_inspect_finds(module):
    functions = [each for each in vars(module).values() if inspect.isfunction(each)]
    for each in functions:
        first, *more = definition.source_lines(each)
        last = more[-1] if more else first
        assert last == inspect.getsourcelines(each)
        assert first[1] == last[1]
        rest = last[0][len(first[0]) :]
        assert first[0] == last[0][: len(first[0])]
        assert all(not line.partition("#")[0].strip() for line in rest)


def test_a_function_of_other_code_is_read_again():
    """As modules are that `%autoreload` of IPython has imported again."""
    rule, _ = made("def rule(s):\n    return s + 1\n")
    other, _ = made("def rule(s):\n    return s + 2\n")
    assert "s + 1" in ast.unparse(split_source(rule).definition)
    rule.__code__ = other.__code__
    assert "s + 2" in ast.unparse(split_source(rule).definition)
