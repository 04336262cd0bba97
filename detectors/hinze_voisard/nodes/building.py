"""The building of nodes from the expression of a profile."""

from __future__ import annotations

from collections.abc import Callable

from detectors.hinze_voisard.nodes.clauses import (
    ConjunctionNode,
    EitherRelation,
    InstancesRelation,
    JoinedRelation,
    PairsRelation,
    Relation,
)
from detectors.hinze_voisard.nodes.node import Node, Stateful, Timer
from detectors.hinze_voisard.nodes.operators import AbsentNode, OfClassNode, SelectedNode, UnionNode
from detectors.hinze_voisard.nodes.pairs import PairedNode
from semantics.hinze_voisard.profiles import Absent, Logical, OfClass, Paired, Part, Selected


class Building:
    """Makes the nodes of a profile.

    Args:
        timer: the time event that ends a negation at a time.
        are_apart: whether no event belongs to two classes.
    """

    def __init__(self, timer: Timer, are_apart: Callable[[str, str], bool]) -> None:
        self._timer, self._are_apart = timer, are_apart
        self.nodes: list[tuple[Part, Node]] = []
        """The parts with their nodes, operands first."""
        self.leaves: list[OfClassNode] = []
        self.stateful: list[Stateful] = []
        """What has a state of its own, in the order in which it was made."""

    def node(self, part: Part) -> Node:
        """The node of a part."""
        node: Node
        match part:
            case OfClass():
                node = OfClassNode(part)
                self.leaves.append(node)
            case Paired("|", left, right):
                node = UnionNode(map(self.node, (left, right)))
            case Paired(_, left, right):
                apart = (
                    isinstance(left, OfClass)
                    and isinstance(right, OfClass)
                    and self._are_apart(left.type, right.type)
                )
                node = PairedNode(part, self.node(left), self.node(right), apart=apart)
            case Absent(operand):
                node = AbsentNode(part, self.node(operand), self._timer)
            case Selected(operand):
                node = SelectedNode(part, self.node(operand))
            case Logical(True):
                nodes: list[Node] = []
                relation = self._relation(part, "", nodes)
                node = ConjunctionNode(relation, nodes)
            case Logical(_, clauses):
                node = UnionNode(map(self.node, clauses))
        self.stateful.append(node)
        self.nodes.append((part, node))
        return node

    def _relation(self, part: Part, place: str, nodes: list[Node]) -> Relation:
        relation: Relation
        match part:
            case Logical(conjunction, clauses):
                kind = JoinedRelation if conjunction else EitherRelation
                relation = kind(
                    self._relation(clause, f"{place}.{number}", nodes)
                    for number, clause in enumerate(clauses)
                )
            case Paired("," | ";", left, right):
                node = self.node(part)
                assert isinstance(node, PairedNode)
                nodes.append(node)
                relation = PairsRelation(node, _name(left, f"{place}l"), _name(right, f"{place}r"))
            case _:
                nodes.append(self.node(part))
                relation = InstancesRelation(nodes[-1], _name(part, place))
        self.stateful.append(relation)
        return relation


def _name(part: Part, place: str) -> str:
    return part.name if isinstance(part, OfClass) and part.name else f"#{place}"
