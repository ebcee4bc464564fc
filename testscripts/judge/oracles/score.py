"""Compares a program's declarations with the compiler's: score.py TRUTH OWN LABEL

A declaration is right when its name is there, it starts between the first line of its doc comment and its name, and it ends
on the compiler's line. Declarations inside functions are not counted.
"""

import collections
import json
import sys

GROUPS = {
    "core": {"function", "method", "class", "interface", "type", "enum", "namespace", "varfn", "fieldfn"},
    "values": {"var", "field"},
}


def load(path):
    with open(path) as f:
        return {d["f"]: d for d in map(json.loads, f)}


def score(truth, own, kinds):
    """Returns how many there are, are found, and end right, and what kinds were missed or end wrong."""
    total = found = right = 0
    missed, wrong = collections.Counter(), collections.Counter()
    for path, file in truth.items():
        tags = collections.defaultdict(list)
        for tag in own.get(path, {}).get("tags", []):
            tags[tag["n"]].append(tag)
        for s in file["syms"]:
            if s["k"] not in kinds or s["fn"]:
                continue
            total += 1
            first, last = min(s["doc"], s["ds"], s["s"]), max(s["nl"], s["s"])
            candidates = [t for t in tags[s["n"]] if first <= t["s"] <= last]
            if not candidates:
                missed[s["k"]] += 1
                continue
            found += 1
            if any(t["e"] == s["e"] for t in candidates):
                right += 1
            else:
                wrong[s["k"]] += 1
    return total, found, right, missed, wrong


def main(truth, own, label):
    truth, own = load(truth), load(own)
    for group, kinds in GROUPS.items():
        total, found, right, missed, wrong = score(truth, own, kinds)
        if total:
            print(f"{label:8} {group:7} n={total:7} found={found / total:8.3%} exact_end={right / total:8.3%}"
                  f" missed={dict(missed.most_common(5))} wrong_end={dict(wrong.most_common(5))}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
