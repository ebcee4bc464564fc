# Works on every platform.

import sys

if sys.platform == "win32":
    def path(): return "\\"
elif sys.platform == "darwin":
    def path(): return ":"
else:
    def path():
        return "/"

try:
    import fast
    HAVE = True
except (ImportError, OSError):
    HAVE = False
    class fast:
        def run(self): pass
else:
    A = 1
finally:
    B = 2

for i in range(3):
    LOOP = i
while True:
    W = 1
with open("f") as f:
    DATA = f.read()
match A:
    case 1:
        M = 1

if __name__ == "__main__":
    main = 1
