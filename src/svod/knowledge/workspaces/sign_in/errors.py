"""What can go wrong with signing in."""

from svod.foundation.errors import Denied, Exhausted, Invalid, Says
from svod.knowledge.workspaces.errors import Unauthenticated


class WrongPassword(Unauthenticated):
    """The e-mail or the password is not right; which, is not told."""

    code = "workspaces.wrong_password"
    says = Says(
        "The e-mail or the password is not right.", "Неверный адрес электронной почты или пароль."
    )
    hint = Says(
        "If you forgot it, ask an admin of the workspace for a new invitation.",
        "Если пароль забыт, попросите у администратора новое приглашение.",
    )


class TooManyAttempts(Exhausted):
    """Somebody tries passwords."""

    code = "workspaces.too_many_attempts"
    says = Says(
        "Too many attempts to sign in; wait {minutes} minutes.",
        "Слишком много попыток входа; подождите {minutes} мин.",
    )


class InvitationSpent(Denied):
    """An invitation works once, for a week."""

    code = "workspaces.invitation_spent"
    says = Says(
        "This invitation was used already or is too old.",
        "Это приглашение уже использовано или устарело.",
    )
    hint = Says("Ask an admin for a new one.", "Попросите у администратора новое.")


class BadPassword(Invalid):
    """A password is too short or too long."""

    code = "workspaces.bad_password"
    says = Says(
        "A password has {least} to {most} characters and is not your e-mail.",
        "В пароле от {least} до {most} знаков, и это не адрес почты.",
    )
    hint = Says("Four random words are good.", "Хорошо подходят четыре случайных слова.")


class NoEmail(Invalid):
    """A member without an e-mail cannot sign in."""

    code = "workspaces.no_email"
    says = Says("This member has no e-mail.", "У этого участника не указана почта.")
    hint = Says("Set it first.", "Сначала укажите её.")


class SessionNeeded(Denied):
    """Only who signed in with a password can change it."""

    code = "workspaces.session_needed"
    says = Says(
        "This is for members who signed in with a password.",
        "Это для участников, вошедших по паролю.",
    )


class ForgedRequest(Denied):
    """A page of someone else's may have sent this request."""

    code = "workspaces.forged_request"
    says = Says(
        "The request lacks the token of your session.", "В запросе нет токена вашего сеанса."
    )
    hint = Says(
        "Send what `GET /api/session` gives as `X-CSRF-Token`.",
        "Передайте значение из `GET /api/session` в `X-CSRF-Token`.",
    )
