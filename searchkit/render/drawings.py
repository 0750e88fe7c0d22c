"""Pictures as SVG. Colours are classes, which the style sheet of a page paints by its theme."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from searchkit.picture import Cell, Colour, Picture, Shape
from searchkit.render.films import Cast, Director, Frame, Role

MARGIN = 0.15
"""Around a picture, in its units."""
CORNER = 0.14
"""The radius of corners, as a part of the shorter side."""
MARK = 0.08
"""From the edge of a cell to the ring around it."""
HIGHEST_LABEL = 0.46
"""The height of letters, as a part of a piece's height."""
ASPECT = 0.62
"""About how wide a letter is for its height."""
NOT_XML = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(picture: Picture) -> str:
    """The picture as an SVG element for a page of HTML (see `searchkit.render.page.styled`)."""
    cast = Cast()
    frame = Director(cast).frame(picture, picture.words)
    return drawing(picture, cast.roles, frame)


def drawing(picture: Picture, roles: Sequence[Role], frame: Frame) -> str:
    """The board of `picture`, and on it every role, placed as in `frame`; the others are hidden."""
    edge = _text(-MARGIN)
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "class": "picture",
            "viewBox": f"{edge} {edge} {_text(picture.width + 2 * MARGIN)} "
            f"{_text(picture.height + 2 * MARGIN)}",
            "role": "img",
            "aria-label": frame.words,
        },
    )
    board = ET.SubElement(root, "g", {"class": "board"})
    for cell in picture.cells:
        if cell.colour is Colour.FRAME:
            _draw_cell(board, cell)
    for line in picture.lines:
        ends = {"x1": line.x, "y1": line.y, "x2": line.to_x, "y2": line.to_y}
        ET.SubElement(board, "line", {name: _text(value) for name, value in ends.items()})
    for cell in picture.cells:
        if cell.colour is not Colour.FRAME:
            _draw_cell(board, cell)
    pieces = ET.SubElement(root, "g", {"class": "pieces"})
    placed = {each.role: each for each in frame.pieces or ()}
    for number, role in enumerate(roles):
        here = placed.get(number)
        colour = Colour.PLAIN.value if here is None else here.colour
        where = (0.0, 0.0) if here is None else (here.x, here.y)
        group = ET.SubElement(
            pieces,
            "g",
            {
                "class": f"piece {colour}" + ("" if here is not None else " gone"),
                "data-role": str(number),
                "transform": f"translate({_text(where[0])} {_text(where[1])})",
            },
        )
        _outline(group, role.shape, 0, 0, role.width, role.height)
        _label(group, 0, 0, role.width, role.height, role.label, here.label if here else "")
    _clean(root)
    return ET.tostring(root, encoding="unicode", short_empty_elements=False)


def _draw_cell(parent: ET.Element, cell: Cell) -> None:
    group = ET.SubElement(parent, "g", {"class": f"cell {cell.colour.value}"})
    _outline(group, cell.shape, cell.x, cell.y, cell.width, cell.height)
    if cell.marked:
        around = cell.width + 2 * MARK, cell.height + 2 * MARK
        mark = _outline(group, cell.shape, cell.x, cell.y, *around)
        mark.set("class", "mark")
    if cell.label:
        _label(group, cell.x, cell.y, cell.width, cell.height, cell.label, cell.label)


def _outline(
    parent: ET.Element, shape: Shape, x: float, y: float, width: float, height: float
) -> ET.Element:
    if shape is Shape.ROUND:
        ellipse = {"cx": x, "cy": y, "rx": width / 2, "ry": height / 2}
        return _element(parent, "ellipse", ellipse)
    corner = (0.5 if shape is Shape.BAR else CORNER) * min(1, width, height)
    left, top = x - width / 2, y - height / 2
    block = {"x": left, "y": top, "width": width, "height": height, "rx": corner}
    return _element(parent, "rect", block)


def _element(parent: ET.Element, name: str, lengths: dict[str, float]) -> ET.Element:
    return ET.SubElement(parent, name, {key: _text(value) for key, value in lengths.items()})


def _label(
    parent: ET.Element, x: float, y: float, width: float, height: float, longest: str, label: str
) -> None:
    size = min(HIGHEST_LABEL * height, 0.84 * width / (ASPECT * max(1, len(longest))))
    text = _element(parent, "text", {"x": x, "y": y, "font-size": size})
    text.set("dy", "0.35em")
    text.text = label


def _clean(root: ET.Element) -> None:
    for element in root.iter():
        element.text = element.text and NOT_XML.sub("\ufffd", element.text)
        for name, value in element.items():
            element.set(name, NOT_XML.sub("\ufffd", value))


def _text(value: float) -> str:
    """A length with as many digits as can be seen."""
    return f"{round(value, 3) + 0.0:.12g}"  # the sum makes -0 a 0
