"""Every address that is served over HTTP."""

from django.urls import path, re_path

from playhead.config.api import api
from playhead.ops import frontend, health

urlpatterns = [
    path("api/v1/", api.urls),
    path("health/live", health.live),
    path("health/ready", health.ready),
    # The console routes in the browser: what names no file of the build is a view of it.
    re_path(r"^(?!api/|ws/|health/|metrics|static/|assets/)(?P<path>.*)$", frontend.index),
]
