"""An engine and how fast it turns."""

SPEED = "CANARY_SPEED"


def run():
    return "CANARY_run"


class Engine:
    """Turns."""

    label = "CANARY_Engine"

    def turn(self):
        return "CANARY_Engine_turn"


def _hidden():
    return "CANARY__hidden"
