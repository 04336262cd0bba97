"""Work beside a verification: its result arrives, and a process that ends without one is an error."""

import os

import pytest

from campaigns.judging.isolation import can_isolate
from remora.verification.beside import going_on

pytestmark = pytest.mark.skipif(not can_isolate(), reason="nothing forks on this platform")


def test_what_is_found_in_another_process_is_the_result() -> None:
    here = os.getpid()
    with going_on(os.getpid) as awaited:
        assert awaited() != here


def test_it_may_take_as_much_memory_as_the_verification_itself() -> None:
    resource = pytest.importorskip("resource")
    with going_on(lambda: resource.getrlimit(resource.RLIMIT_AS)) as awaited:
        assert awaited() == resource.getrlimit(resource.RLIMIT_AS)


def test_a_process_that_ends_without_a_result_is_an_error() -> None:
    with going_on(lambda: os._exit(0)) as awaited, pytest.raises(RuntimeError):
        awaited()
