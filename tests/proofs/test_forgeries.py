"""Proofs of something else, damaged ones, and lies with the right digests are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from searchkit.proofs.checker import Refused, Unusable, Verdict, check, read
from tests.support.proof_files import Entries, Header, hoppers, jugs, prove, sliding, written

JUGS = prove(jugs(), count=1)
FAR, NEAR = "45312.", "123.45"  # starts of a board of six cells, some 20 and 2 moves from its goal


def through_a_file(folder: Path, header: Header, entries: Entries, rules: Any) -> Verdict:
    return check(*read(written(folder / "proof", header, entries)), rules)


def test_honest_proofs_are_accepted(tmp_path: Path) -> None:
    assert through_a_file(tmp_path, *JUGS, jugs()).kind == "count"
    rules = sliding(FAR)
    with_zero = through_a_file(tmp_path, *prove(rules), rules)
    with_h = through_a_file(tmp_path, *prove(rules, heuristic="h"), rules)
    assert with_zero.kind == with_h.kind == "optimal"
    assert with_zero.states > 2 * with_h.states
    assert with_zero.rests_on == "checked by the rules alone"
    assert with_h.rests_on == "assuming that h, h, is admissible"


@pytest.mark.slow
def test_the_72_ways_to_solve_hoppers_are_counted(tmp_path: Path) -> None:
    header, entries = prove(hoppers(), count=72)
    verdict = through_a_file(tmp_path, header, entries, hoppers())
    assert verdict.text == (
        "no way costs less than 7; the solution of 7 steps is optimal, one of 72; "
        "2,333 states, 10,260 edges"
    )
    with pytest.raises(Refused, match="number of solutions is 72"):
        through_a_file(tmp_path, header | {"count": 71}, entries, hoppers())


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (sliding(FAR), "start elsewhere"),
        (jugs(sizes=(8, 5, 4)), "the list lacks it"),
        (jugs(wanted=(5, 0, 3)), "leads to the goal"),
        (jugs(wanted=(2, 3, 3)), "is a goal|the list lacks it"),
        (jugs(wanted=(0, 0, 8)), "the list lacks it"),
    ],
)
def test_a_proof_of_another_puzzle_or_of_other_parameters(
    tmp_path: Path, rules: Any, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        through_a_file(tmp_path, *JUGS, rules)


def test_a_proof_of_an_easier_board(tmp_path: Path) -> None:
    easy, hard = prove(sliding(NEAR)), prove(sliding(FAR))
    assert easy[0]["below"] < hard[0]["below"]
    with pytest.raises(Refused, match="start elsewhere"):
        through_a_file(tmp_path, *easy, sliding(FAR))
    alone = {"solution": None, "from": None}
    claim = easy[0] | {"starts": [FAR]} | alone  # under the name of the harder one
    with pytest.raises(Refused, match="lacks it"):
        through_a_file(tmp_path, claim, easy[1], sliding(FAR))
    claim = hard[0] | {"starts": [NEAR]} | alone  # and the other way round
    with pytest.raises(Refused, match="where the list lacks it"):
        through_a_file(tmp_path, claim, hard[1], sliding(NEAR))


def test_exchanged_lists(tmp_path: Path) -> None:
    rules = sliding(FAR)
    for heuristic, other in [("h", "zero"), ("zero", "h")]:
        header, _ = prove(rules, heuristic=heuristic)
        _, entries = prove(rules, heuristic=other)
        if heuristic == "h":  # more states than needed do no harm
            assert through_a_file(tmp_path, header, entries, rules).kind == "optimal"
        else:
            with pytest.raises(Refused, match="lacks it"):
                through_a_file(tmp_path, header, entries, rules)
    with pytest.raises(Refused):
        through_a_file(tmp_path, JUGS[0], prove(rules)[1], jugs())


def test_costs_and_counts_that_are_forged(tmp_path: Path) -> None:
    header, entries = JUGS
    alone = {"solution": None, "from": None, "count": None, "within": None}
    for change in [
        {"below": 8},
        {"below": 6},
        {"below": 8, **alone},
        {"count": 2},
        {"within": 1},
        {"count": 10**30},
        {"solution": header["solution"][:-1]},
        {"solution": header["solution"][1:]},
        {"solution": [*header["solution"], header["solution"][0]]},
        {"from": entries[3][0]},
        {"goals": []},
        {"goals": [entries[0][0]]},
        {"starts": []},
        {"starts": [*header["starts"], entries[0][0]]},
    ]:
        with pytest.raises(Refused):
            through_a_file(tmp_path, header | change, entries, jugs())
    with pytest.raises(Refused, match=r"^the number of solutions is 1$"):
        through_a_file(tmp_path, header | {"count": 2}, entries, jugs())
    assert through_a_file(tmp_path, header | alone, entries, jugs()).kind == "lower bound"
    assert through_a_file(tmp_path, header | {"below": 5} | alone, entries, jugs()).edges == 54
    without_a_count = prove(jugs())[1]
    with pytest.raises(Refused, match="lacks it"):  # counts need the states at C, too
        through_a_file(tmp_path, header, without_a_count, jugs())


@pytest.mark.parametrize("at", range(len(JUGS[1])))
def test_each_state_of_the_list_is_needed(tmp_path: Path, at: int) -> None:
    header, entries = JUGS
    text, g = entries[at]
    for forged in [
        entries[:at] + entries[at + 1 :],
        entries[:at],
        [*entries[:at], (text, g + 1), *entries[at + 1 :]],
        [*entries[:at], (text, None), *entries[at + 1 :]],
        [*entries[: at + 1], *entries[at:]],
    ]:
        with pytest.raises(Refused):
            through_a_file(tmp_path, header, forged, jugs())


@pytest.mark.parametrize("packed", [True, False])
def test_a_file_that_is_cut_off_or_changed(tmp_path: Path, packed: bool) -> None:
    data = written(tmp_path / "proof", *JUGS, packed=packed).read_bytes()
    path = tmp_path / "other"
    for end in range(0, len(data), 5):
        path.write_bytes(data[:end])
        with pytest.raises(Refused):
            check(*read(path), jugs())
    for at in range(0, len(data), 2):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        try:
            verdict = check(*read(path), jugs())
        except (Refused, Unusable):
            continue
        assert verdict == check(*read(tmp_path / "proof"), jugs())  # only a name has changed
    path.write_bytes(data + data)
    with pytest.raises(Refused):
        check(*read(path), jugs())
