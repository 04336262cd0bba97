"""What the Tab key offers, asked for as the shells ask."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from laws.systems import find
from remora.commands import COMMANDS
from remora.terminal.completion import SHELLS
from tests.remora.conftest import Remora

Offers = Callable[..., list[str]]

BASH = shutil.which("bash")


@pytest.fixture
def offers(remora: Remora, monkeypatch: pytest.MonkeyPatch) -> Offers:
    """What is offered for the last of some words, by the protocol of a shell; bash takes words apart at colons."""

    def ask(*typed: str, shell: str = "bash") -> list[str]:
        words = [shlex.quote(word) if " " in word else word for word in typed]
        if shell == "bash":
            words = [part for word in words for part in re.split("(:)", word) if part or not word]
        monkeypatch.setenv("_REMORA_COMPLETE", f"{shell}_complete")
        monkeypatch.setenv("COMP_WORDS", "\n".join(["remora", *words]))
        monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words)))
        status, out, err = remora()
        assert (status, err) == (0, "")
        return out.splitlines()

    return ask


def values(lines: list[str]) -> list[str]:
    return [line.removeprefix("plain,") for line in lines]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["de"], ["detect"]),
        (["laws", "show", "se"], ["seq"]),
        (["laws", "show", "lemma:5.2"], ["5.2"]),
        (["prove", "theorem:4.6.d"], ["4.6.dis"]),
        (["prove", "14", "theorem:6"], ["6.1"]),
        (["test", "14"], ["14"]),
        (["detect", "a", "t.csv", "--detector", "fig"], ["figure4"]),
        (["campaign", "run", "x", "--profile", "tie"], ["ties=1"]),
        (["campaign", "run", "x", "--relation", "no"], ["none"]),
        (["bench", "--only", "figure2"], ["figure2"]),
        (["prove", "--ti"], ["--time"]),
        (["prove", "--time", "r"], ["real"]),
        (["equiv", "a", "b", "--up-to", "d"], ["detection"]),
        (["completion", ""], list(SHELLS)),
    ],
)
def test_values_are_offered_where_they_are_expected(
    offers: Offers, words: list[str], expected: list[str]
) -> None:
    found = values(offers(*words))
    assert all(value.startswith(words[-1].rpartition(":")[2]) for value in found)
    assert set(expected) <= set(found)


@pytest.mark.parametrize(
    "words", [["detect", "a ; b", "lo"], ["eval", "a", "x"], ["campaign", "run", "x", "--corpus", "l"]]
)
def test_where_a_trace_is_expected_the_shell_is_told_to_offer_files(offers: Offers, words: list[str]) -> None:
    assert offers(*words) == [f"file,{words[-1]}"]


def test_every_command_is_offered_and_none_is_imported_for_that() -> None:
    script = (
        "import os, sys\n"
        "os.environ |= {'_REMORA_COMPLETE': 'bash_complete', 'COMP_WORDS': 'remora ', 'COMP_CWORD': '1'}\n"
        "from remora.cli import main\ntry: main([])\nexcept SystemExit: pass\n"
        "sys.stderr.write(' '.join(name for name in sys.modules if name.startswith('remora.commands.')))"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (values(ended.stdout.splitlines()), ended.stderr) == (list(COMMANDS), "")


def test_every_id_of_a_claim_that_is_offered_is_one(offers: Offers) -> None:
    offered = values(offers("prove", ""))
    assert len(offered) > 70
    assert len(find(offered)) == len(offered)
    laws = values(offers("prove", "1"))
    assert [claim.id for claim in find(laws)] == [f"law:{number}" for number in laws]


def test_every_detector_that_is_offered_is_known(
    offers: Offers, remora: Remora, logins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = values(offers("detect", "a", "t.csv", "--detector", ""))
    monkeypatch.delenv("_REMORA_COMPLETE")
    assert "auto" in names
    for name in names:
        assert remora("detect", "fail", logins, "--intervals", "--detector", name)[0] == 0, name


def test_mutants_are_offered_once_the_word_is_begun(offers: Offers) -> None:
    words = ["campaign", "run", "x", "--detector"]
    assert not [name for name in values(offers(*words, "")) if name.startswith("mutant")]
    assert "seq-newest" in values(offers(*words, "mutant:s"))
    assert "mutant" in "".join(offers(*words, "mutant:s", shell="zsh"))


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_the_whole_id_with_what_it_says(offers: Offers, shell: str) -> None:
    text = "\n".join(offers("prove", "theorem:6", shell=shell))
    assert text.replace("\\:", ":").count("theorem:6.1") == 1


# -------------------------------------------------------------------------------------------------------- scripts


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_names_the_command_and_its_variable(remora: Remora, shell: str) -> None:
    status, out, err = remora("completion", shell)
    assert (status, err, f"_REMORA_COMPLETE={shell}_complete" in out) == (0, "", True)
    document = json.loads(remora("completion", shell, "--format", "json")[1])
    assert document == {"schema": "remora/completion/1", "shell": shell, "script": out}


@pytest.mark.skipif(BASH is None, reason="there is no bash")
def test_bash_itself_completes(tmp_path: Path) -> None:
    program = tmp_path / "remora"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m remora "$@"\n')
    program.chmod(0o755)
    script = """
        export PATH="$1:$PATH"
        eval "$(remora completion bash)"
        complete -p remora
        asked() {
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
            _remora_completion remora; echo "${COMPREPLY[*]}"
        }
        asked remora exp
        asked remora prove theorem : 6
    """
    ended = subprocess.run(
        [BASH or "", "--norc", "-c", script, "bash", str(tmp_path)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=120,
    )
    registered, command, claim = ended.stdout.splitlines()
    assert (registered, command, claim) == (
        "complete -o nosort -F _remora_completion remora",
        "explain",
        "6.1",
    )
