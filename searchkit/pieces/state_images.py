"""What symmetries of a definition make of packed states, field by field."""

from __future__ import annotations

from functools import partial
from typing import Any

from searchkit.capabilities import FieldImage, Symmetry
from searchkit.pieces.layout import Field, Layout
from searchkit.pieces.place_maps import PlaceMap
from searchkit.symmetry import image_by_fields


def symmetry_of(layout: Layout, one: PlaceMap) -> Symmetry[Any, Any]:
    """A map of places as a symmetry of packed states."""
    images = fields_under(layout, one)
    labels = layout.labels
    actions = {label: labels[image] for label, image in zip(labels, one.steps, strict=True)}
    changed = layout.symmetries.step_map(one)
    text = ", ".join(f"{before} to {after}" for before, after in list(changed.items())[:6])
    kind = "identity" if one.is_identity else "mirror" if one.is_mirror else "turn"
    return Symmetry(
        f"{kind} {text}{', ...' * (len(changed) > 6)}".strip(),
        partial(image_by_fields, images),
        actions.__getitem__,
        fields=images,
    )


def fields_under(layout: Layout, one: PlaceMap) -> tuple[FieldImage, ...]:
    """What a map of places makes of each field. O(fields x values)."""
    known: dict[tuple[int, ...], tuple[int, ...]] = {}
    return tuple(_field_under(layout, one, field, known) for field in layout.fields)


def _field_under(
    layout: Layout, one: PlaceMap, field: Field, known: dict[tuple[int, ...], tuple[int, ...]]
) -> FieldImage:
    frame, each = one.frame, layout.components[field.component]
    first = frame.first[each.orbit]
    item = first + each.places[field.item]
    after = one.places[item]
    to_component, to_item = layout.at[frame.orbit[after], after - frame.first[frame.orbit[after]]]
    target = next(f for f in layout.fields_of[to_component] if f.item == to_item)
    # By piece, the same happens to all pieces that are turned the same way besides.
    number = frame.component[item]
    more = one.recoloured[number, frame.looks[item]][1] if field.counted else -1 - field.item
    key = field.component, field.counted, more
    if key not in known:
        known[key] = _values(layout, one, field, to_component)
    bits = layout.words[field.word].bits
    return FieldImage(field.word, field.shift, bits, target.word, target.shift, known[key])


def _values(layout: Layout, one: PlaceMap, field: Field, to_component: int) -> tuple[int, ...]:
    """What each value of a field becomes; 0 if it is none."""
    frame, each = one.frame, layout.components[field.component]
    orbit = layout.definition.orbits[each.orbit]
    first = frame.first[each.orbit]
    low, to_low = layout.item_bits(field.component), layout.item_bits(to_component)
    found = [0] * (1 << layout.words[field.word].bits)
    looks = orbit.looks
    if field.counted:  # where the piece is, and how it is turned there
        home = each.places[field.item]
        cases = [
            (rank, place, looks[home], field.counted) for rank, place in enumerate(each.places)
        ]
    else:  # what is in the place
        place = each.places[field.item]
        counted = {looks[p]: orbit.counted[p] for p in each.places}
        cases = [(look, place, look, modulus) for look, modulus in counted.items()]
    for value, place, look, modulus in cases:
        other, more = one.recoloured[frame.component[first + place], look]
        after = one.places[first + place]
        to_orbit = frame.orbit[after]
        to_value = (
            other if not field.counted else layout.at[to_orbit, after - frame.first[to_orbit]][1]
        )
        for turned in range(modulus):
            turn = one.factors[first + place] * turned + one.turns[first + place] + more
            found[value | turned << low] = to_value | turn % modulus << to_low
    return tuple(found)
