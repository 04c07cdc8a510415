"""Reads the stream of an account with Mastodon.py and prints each thing that it hears as a line of JSON.

usage: mastodon_stream.py URL TOKEN
"""

import json
import sys

from mastodon import Mastodon, StreamListener


def report(received, what=None):
    print(json.dumps({"received": received, "what": what}), flush=True)


class Listener(StreamListener):
    def on_update(self, status):
        report("update", str(status["id"]))

    def on_status_update(self, status):
        report("status.update", str(status["id"]))

    def on_delete(self, status_id):
        report("delete", str(status_id))

    def on_notification(self, notification):
        report("notification", notification["type"])

    def on_filters_changed(self):
        report("filters_changed")

    def handle_heartbeat(self):
        report("heartbeat")

    def on_abort(self, err):
        report("abort", repr(err))


url, token = sys.argv[1:]
client = Mastodon(access_token=token, api_base_url=url, version_check_mode="none")
client.stream_user(Listener())
