"""Reads the stream of an account with Mastodon.py and prints each thing that it hears as a line of JSON.

usage: mastodon_stream.py URL TOKEN
"""

import json
import sys

from mastodon import Mastodon, StreamListener


def tell(heard, what=None):
    print(json.dumps({"heard": heard, "what": what}), flush=True)


class Listener(StreamListener):
    def on_update(self, status):
        tell("update", str(status["id"]))

    def on_status_update(self, status):
        tell("status.update", str(status["id"]))

    def on_delete(self, status_id):
        tell("delete", str(status_id))

    def on_notification(self, notification):
        tell("notification", notification["type"])

    def on_filters_changed(self):
        tell("filters_changed")

    def handle_heartbeat(self):
        tell("heartbeat")

    def on_abort(self, err):
        tell("abort", repr(err))


url, token = sys.argv[1:]
client = Mastodon(access_token=token, api_base_url=url, version_check_mode="none")
client.stream_user(Listener())
