def one(): return 1
def tabs():
	if x:
		return {
	'a': "def fake():",
	}


async def two(
    a, b=")",
    *args,
) -> "C":
    '''Doc with """ inside
    def fake(): pass
    '''
    return a  # end

lam = lambda x: x
_private = 1
def _hidden(): pass
x = 1; y = 2
type Alias = int
type Pair[T] = tuple[T, T]
