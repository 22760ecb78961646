"""The studio as a web application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path
from threading import Thread
from urllib.parse import quote

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from sqlalchemy.exc import DataError, SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException as StarletteHTTPException

from voicesim import __version__
from voicesim.errors import UsageError, VoicesimError
from voicesim.studio import routes, sample
from voicesim.studio.access import SignInNeededError
from voicesim.studio.accounts import local_person
from voicesim.studio.database import open_database
from voicesim.studio.guard import Guard
from voicesim.studio.indexing import index, index_visit
from voicesim.studio.pages import page
from voicesim.studio.proposing import give_up
from voicesim.studio.settings import Settings, checked
from voicesim.studio.state import Studio
from voicesim.studio.tables.visits import Run
from voicesim.studio.upkeep import Upkeep
from voicesim.studio.visits.queue import Queue
from voicesim.studio.webhooks import tell_webhooks

HERE = Path(__file__).parent
API = "/api/"
_DISK_FULL = "53100"
"""What PostgreSQL says then (SQLSTATE)."""


def create_app(settings: Settings) -> FastAPI:
    """The application of a studio; its database is opened and its recordings are indexed before it is returned.

    Raises UsageError for settings that would let strangers in, and for a database that cannot be opened.
    """
    checked(settings)
    settings.recordings.mkdir(parents=True, exist_ok=True)
    database = open_database(settings.database_url)
    if not settings.sign_in:
        with database.session() as session:
            local_person(session)
    index(database, settings.recordings)
    give_up(database)

    def ended(run_id: int) -> None:
        with database.session() as session:
            run = session.get(Run, run_id)
            place = run.place if run else ""
        if place:
            suite = place.partition("/")[0]
            for folder in sorted((settings.recordings / suite).glob("*/")):
                index_visit(database, settings.recordings, f"{suite}/{folder.name}")
        tell_webhooks(database, settings, run_id)

    studio = Studio(settings, database, Queue(settings, database, ended))
    upkeep = Upkeep(settings, database)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        studio.queue.start()
        if settings.sample and sample.wanted(settings):
            Thread(target=sample.put, args=(settings, database), name="sample", daemon=True).start()
        upkeep.start()
        yield
        upkeep.close()
        await run_in_threadpool(studio.queue.close)
        database.close()

    app = FastAPI(
        title="voicesim studio",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.studio = studio
    app.mount("/static", _static(), name="static")
    for router in routes.ROUTERS:
        app.include_router(router)
    _errors(app)
    app.add_middleware(Guard, settings=settings)
    return app


def _static() -> StaticFiles:
    """Our own files, the scorecard's style, and htmx out of its package."""
    packages: list[str | tuple[str, str]] = [("django_htmx", "static/django_htmx"), ("voicesim", "report/page")]
    try:
        resources.files("django_htmx")
    except ModuleNotFoundError as error:
        raise UsageError("the studio needs htmx: pip install 'voicesim[studio]'") from error
    return StaticFiles(directory=HERE / "static", packages=packages)


def _errors(app: FastAPI) -> None:
    """Every failure in the words of whoever asked: JSON for a program, a page for a reader."""

    @app.exception_handler(SignInNeededError)
    async def _sign_in(request: Request, _: Exception) -> Response:
        if request.url.path.startswith(API):
            return JSONResponse({"error": "sign in with a token"}, 401, {"WWW-Authenticate": "Bearer"})
        if request.method != "GET":
            return page(request, "error.html", status=401, status_code=401, detail="You are not signed in any more.")
        return RedirectResponse(f"/sign-in?next={quote(request.url.path)}", 303)

    @app.exception_handler(StarletteHTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        return _told(request, error.status_code, str(error.detail), dict(error.headers or {}))

    @app.exception_handler(VoicesimError)
    async def _known(request: Request, error: VoicesimError) -> Response:
        return _told(request, 422, str(error))

    @app.exception_handler(RequestValidationError)
    async def _odd(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        return _told(request, 422, f"{'.'.join(str(part) for part in first['loc'][1:])}: {first['msg']}")

    @app.exception_handler(OverflowError)
    @app.exception_handler(DataError)
    async def _unkept(request: Request, _: Exception) -> Response:
        return _told(request, 422, "There is a number or a text in this that nothing here can have.")

    @app.exception_handler(SQLAlchemyError)
    async def _database(request: Request, error: SQLAlchemyError) -> Response:
        if "disk is full" in str(error) or getattr(getattr(error, "orig", None), "sqlstate", "") == _DISK_FULL:
            return _told(request, 507, "The disk of the database is full. Nothing was saved by this; make room first.")
        return _told(request, 503, "The database does not answer just now. Nothing is lost; try again in a minute.")

    @app.exception_handler(OSError)
    async def _system(request: Request, error: OSError) -> Response:
        return _told(request, 507, f"The system refused: {error.strerror or error}")


def _told(request: Request, status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    if request.url.path.startswith(API):
        return JSONResponse({"error": detail}, status, headers)
    answer = page(request, "error.html", status=status, status_code=status, detail=detail)
    answer.headers.update(headers or {})
    return answer
