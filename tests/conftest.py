"""What all tests need: interrupts that arrive, and an order."""

import signal

import pytest


def pytest_configure() -> None:
    """Processes inherit what is ignored; whoever started the tests may have wanted no interrupts, the tests do."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests come first: then no core is left with one of them when the others are done."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
