import a

# above, not attached
def f():
    pass
    # inside, after the body

# between


class C:
    x = 1
    # after the last member

    # more

def g():
    if a:
        pass
        # deeper
    # less deep
