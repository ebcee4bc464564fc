A: int = 1
B = C = 2
(D, E), F = (1, 2), 3
G[0] = 1
H.attr = 2
I += 1
J = [
    "]",
]
K = """
L = 1
"""
if (n := 1): N = n
def f():
    global O
    O = 1
