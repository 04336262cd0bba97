class a = event(name = "a")
class b = event(name = "b")
class c = event(name = "c")
class d = event(name = "d")
class e = event(name = "e")
profile P = ((((a ; b) ; c) ; d) ; e)[400]
