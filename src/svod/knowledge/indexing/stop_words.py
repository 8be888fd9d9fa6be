"""Words too common to search for, in Russian and English, as they stand after folding (ё is е)."""

RUSSIAN = frozenset(
    """
    а без более бы был была были было быть в вам вами вас ваш ваша ваше ваши во вот все всего всей
    всем всеми всех всю вы где да для до его ее ей ему если есть еще же за и из или им ими их к
    как какая какие какой когда ко который которая которое которые которого которой котором
    которому которую которым которых которыми кто куда ли либо между меня мне мной мною может мои
    мой моя мы на над нам нами нас наш наша наше наши не него нее ней нем нему нет ни ним ними них
    но ну о об однако он она они оно от очень перед по под при про с сам свой своя свое свои
    своего своей своем своему своим своими своих свою себе себя собой со так такая также такие
    такой такое там те тебе тебя тем теми тех то тобой тогда тоже той только тому тот ту ты у уж
    уже хотя чего чей чем чему что чтобы чье чья эта эти этим этими этих это этого этой этом этому
    этот эту я
    """.split()  # noqa: SIM905
)

ENGLISH = frozenset(
    """
    a about after again all am an and any are as at be because been before being between both but
    by can could did do does doing during each few for from further had has have having he her
    here hers herself him himself his how i if in into is it its itself just me more most my
    myself no nor not of off on once only or other our ours ourselves out over own same she should
    so some such than that the their theirs them themselves then there these they this those
    through to too under until up very was we were what when where which while who whom why will
    with would you your yours yourself yourselves
    """.split()  # noqa: SIM905
)

LEFTOVERS = frozenset({"s", "t", "d", "m", "ll", "re", "ve"})
"""What an English apostrophe leaves behind: `user's`, `we'll`."""

STOP_WORDS = RUSSIAN | ENGLISH | LEFTOVERS

ASKING = frozenset({"как"})
"""The stem of `какой` and `каков` in every case: such a word asks, and is not asked for.

Texts keep them under this term, so that only queries are read differently.
"""
