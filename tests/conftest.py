"""Settings of all tests: interrupts that arrive, examples that may take their time, and an order."""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

HERE = Path(__file__).parent

DEAREST = (
    "documentation/test_pages.py",
    "streaming/test_streams.py",
    "cluster/test_session.py",
    "campaigns/engine/test_campaign.py",
    "remora/test_campaign_on_spark.py",
    "remora/judging/test_gate.py",
    "campaigns/carlson_lisper/test_relations.py",
    "proofs/carlson_lisper/runs/test_recent.py",
    "remora/test_streams.py",
    "remora/bry_eckert/test_rules_gate.py",
    "detectors/bry_eckert/test_engines.py",
    "test_engines_agree.py",
    "campaigns/bry_eckert/test_rules_campaign.py",
    "remora/judging/test_gate_command.py",
    "laws/carlson_lisper/checks/test_random_checks.py",
    "remora/bry_eckert/test_rules_stream_command.py",
    "remora/test_verify.py",
    "smt/carlson_lisper/test_alterations.py",
    "campaigns/engine/test_finished.py",
    "cluster/test_shipping.py",
)
"""The files that take longest, the longest first. Where each process takes a file at a time, they are begun first."""


def pytest_configure() -> None:
    """Set what holds for every test."""
    # Processes inherit what is ignored; whoever started the tests may have wanted no interrupts, the tests do.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # How long an example takes says something of the machine and of what else it does, nothing of the code.
    settings.register_profile("untimed", settings(), deadline=None)
    settings.load_profile("untimed")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The dearest files come first, then all with slow tests: no core is left with one when the others are done."""
    places = {HERE / name: place for place, name in enumerate(DEAREST)}
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (places.get(item.path, len(places)), item.path not in slow))
