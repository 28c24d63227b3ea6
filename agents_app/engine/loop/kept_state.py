"""A middleware's state: changed by its hooks while they run, and by nothing that they leave behind.

A task that a hook started may hold on to the state; what it wrote later would stand in the log of
one run and in no replay of it. Nothing is copied for this: each object and list of the state asks
before it changes, and only what a hook has put in becomes such an object when the hook ends.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextvars import ContextVar

    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.current import Current

T = TypeVar("T", "KeptDict", "KeptList")


class Keeper:
    """Who may change the state of a middleware in an activation: its hook that is running."""

    def __init__(self, name: str, activation: Activation, where: ContextVar[Current]) -> None:
        self._name, self._activation, self._where = name, activation, where
        self._holders: dict[int, KeptDict | KeptList] = {}

    def check(self) -> None:
        """Refuse a change from anywhere else.

        Raises:
            RuntimeError: the hook has ended, or this is none of its tasks.
        """
        here = self._where.get(None)
        if here is None or here.over or here.wrapping or here.name != self._name or (
            here.activation is not self._activation
        ):  # fmt: skip
            raise RuntimeError(
                f"{self._name}: its state was to be changed after its hook had ended: change it in "
                "the hook, and let no background task do it"
            )

    def took(self, holder: KeptDict | KeptList, values: Iterable[Any]) -> None:
        """Note who was given something that can still be changed from outside."""
        if any(isinstance(value, (dict, list, tuple)) for value in values):
            self._holders[id(holder)] = holder

    def close(self) -> None:
        """The hook has ended: what it put in is out of its hands."""
        holders, self._holders = self._holders, {}
        for holder in holders.values():
            if isinstance(holder, dict):
                for name, value in holder.items():
                    dict.__setitem__(holder, name, kept(value, self))
            else:
                list.__setitem__(holder, slice(None), [kept(value, self) for value in holder])


def kept(value: Any, keeper: Keeper) -> Any:
    """The same value, whose objects and lists ask their keeper before they change.

    A tuple becomes a list, as it is one when the state is read again.
    """
    if isinstance(value, (KeptDict, KeptList)) and value.keeper is keeper:
        return value
    if isinstance(value, dict):
        return _made(KeptDict({n: kept(each, keeper) for n, each in value.items()}), keeper)
    if isinstance(value, (list, tuple)):
        return _made(KeptList([kept(each, keeper) for each in value]), keeper)
    return value


def _made(holder: T, keeper: Keeper) -> T:
    holder.keeper = keeper
    return holder


class KeptDict(dict[str, Any]):
    """An object of a state; a deep copy is plain."""

    keeper: Keeper

    def __setitem__(self, name: str, value: Any) -> None:
        self.keeper.check()
        super().__setitem__(name, value)
        self.keeper.took(self, (value,))

    def __delitem__(self, name: str) -> None:
        self.keeper.check()
        super().__delitem__(name)

    def __ior__(self, other: Any) -> KeptDict:  # type: ignore[override,misc]
        self.update(other)
        return self

    def update(self, *given: Any, **more: Any) -> None:
        self.keeper.check()
        new = dict(*given, **more)
        super().update(new)
        self.keeper.took(self, new.values())

    def setdefault(self, name: str, default: Any = None) -> Any:
        if name not in self:
            self[name] = default
        return self[name]

    def pop(self, *given: Any) -> Any:
        self.keeper.check()
        return super().pop(*given)

    def popitem(self) -> tuple[str, Any]:
        self.keeper.check()
        return super().popitem()

    def clear(self) -> None:
        self.keeper.check()
        super().clear()

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return {name: copy.deepcopy(value, memo) for name, value in self.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class KeptList(list[Any]):
    """A list of a state; a deep copy is plain."""

    keeper: Keeper

    def __setitem__(self, place: Any, value: Any) -> None:
        self.keeper.check()
        value = list(value) if isinstance(place, slice) else value
        super().__setitem__(place, value)
        self.keeper.took(self, value if isinstance(place, slice) else (value,))

    def __delitem__(self, place: Any) -> None:
        self.keeper.check()
        super().__delitem__(place)

    def __iadd__(self, other: Iterable[Any]) -> KeptList:  # type: ignore[misc]
        self.extend(other)
        return self

    def __imul__(self, times: Any) -> KeptList:  # type: ignore[misc]
        self.keeper.check()
        super().__imul__(times)
        return self

    def append(self, value: Any) -> None:
        self.keeper.check()
        super().append(value)
        self.keeper.took(self, (value,))

    def extend(self, values: Iterable[Any]) -> None:
        self.keeper.check()
        new = list(values)
        super().extend(new)
        self.keeper.took(self, new)

    def insert(self, place: Any, value: Any) -> None:
        self.keeper.check()
        super().insert(place, value)
        self.keeper.took(self, (value,))

    def pop(self, *given: Any) -> Any:
        self.keeper.check()
        return super().pop(*given)

    def remove(self, value: Any) -> None:
        self.keeper.check()
        super().remove(value)

    def clear(self) -> None:
        self.keeper.check()
        super().clear()

    def sort(self, **options: Any) -> None:
        self.keeper.check()
        super().sort(**options)

    def reverse(self) -> None:
        self.keeper.check()
        super().reverse()

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return [copy.deepcopy(value, memo) for value in self]

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)
