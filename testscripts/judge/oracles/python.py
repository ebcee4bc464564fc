"""Asks Python's own parser for every declaration of a source tree: python.py ROOT OUT"""

import ast
import io
import json
import os
import sys
import tokenize


def read(path):
    """Returns the tree of a file, or None for one that Python itself refuses."""
    with open(path, "rb") as f:
        raw = f.read()
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        return ast.parse(raw.decode(encoding))
    except (SyntaxError, ValueError, LookupError, RecursionError):
        return None


def symbol(name, scope, kind, node, start, inside):
    return {
        "n": name, "q": ".".join(scope + [name]), "k": kind, "nl": node.lineno, "s": node.lineno,
        "ds": start, "doc": start, "e": node.end_lineno,
        "x": not name.startswith("_"), "top": not scope, "fn": inside,
    }


def visit(body, scope, inside, out):
    """Appends the declarations of body; inside says that it belongs to a function."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            is_class = isinstance(node, ast.ClassDef)
            kind = "class" if is_class else "method" if scope and not inside else "function"
            start = min([d.lineno for d in node.decorator_list] + [node.lineno])
            out.append(symbol(node.name, scope, kind, node, start, inside))
            visit(node.body, scope + [node.name], inside or not is_class, out)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            if inside:
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    out.append(symbol(target.id, scope, "var", node, node.lineno, False))
        else:  # if, try, with, for: what they hold is declared where they stand
            for field in ("body", "orelse", "finalbody"):
                nested = getattr(node, field, None)
                if isinstance(nested, list):
                    visit(nested, scope, inside, out)
            for handler in getattr(node, "handlers", []):
                visit(handler.body, scope, inside, out)


def main(root, out):
    with open(out, "w") as w:
        for folder, folders, files in os.walk(root):
            folders[:] = [f for f in folders if not f.startswith(".")]
            for name in files:
                path = os.path.join(folder, name)
                tree = read(path) if name.endswith(".py") else None
                if tree is None:
                    continue
                symbols = []
                visit(tree.body, [], False, symbols)
                w.write(json.dumps({"f": os.path.relpath(path, root), "syms": symbols}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
