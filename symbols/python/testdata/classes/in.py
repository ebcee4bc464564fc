#!/usr/bin/env python3
# -*- coding: utf-8 -*-
# Copyright 2020 Somebody
"""Points in a plane.

More about them.
"""

from __future__ import annotations
import os, sys as system
from dataclasses import dataclass
from .local import thing


@dataclass(
    frozen=True,
)
# a comment between
@other
class Point(Base, metaclass=Meta):
    """A point."""

    x: int = 0  # across
    y: float
    _hidden = name = 1
    a, (b, *c) = 1, (2, 3)

    class Inner:
        def deep(self): pass

    def __init__(self): ...

    @property
    def size(self) -> int:
        def local():
            pass
        return 1
        # trailing comment

    @size.setter
    def size(self, v): pass

    async def fetch(self):
        async with x: pass

    # dangling

class Generic[T](Base): pass
