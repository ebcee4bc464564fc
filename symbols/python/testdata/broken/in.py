def good():
    return 1

def bad(:
    pass

class Later:
    def m(self):
        return 2
