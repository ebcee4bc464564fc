"""
Public things.
"""
from .impl import imported

__all__ = ["shown", '_odd'] + [
    "Klass",
]
__all__ += ("imported",)

def shown(): pass
def hidden(): pass
def _odd(): pass
class Klass:
    def m(self): pass
    def _p(self): pass
class Other:
    def m(self): pass
