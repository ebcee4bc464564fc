__all__ = "A", "b",

class A: pass
def b(): pass
def c(): pass
