"""``/api/v1``: what people's pages and programs ask, as JSON.

One table says everything of a route. The routes of the server and the OpenAPI document are both
made of it, and of ``schema/``.
"""

from project_memory.web.api.endpoint import Api
from project_memory.web.api.routes import BASE

__all__ = ["BASE", "Api"]
