"""Goes through the main flows of Mastodon.py as two people and prints what came of them as JSON.

usage: mastodon_flows.py URL FILE

It prints the addresses at which the two have to consent, each as a line of JSON, and reads the codes
that they got there, each as a line.
"""

import datetime
import json
import sys

from mastodon import Mastodon, MastodonNotFoundError

url, file = sys.argv[1:]
REDIRECT = "urn:ietf:wg:oauth:2.0:oob"
SCOPES = ["read", "write", "follow", "push"]


def signed_in():
    id, secret = Mastodon.create_app(
        "Mastodon.py test", api_base_url=url, scopes=SCOPES, redirect_uris=REDIRECT
    )
    client = Mastodon(id, secret, api_base_url=url, version_check_mode="none")
    print(json.dumps(client.auth_request_url(scopes=SCOPES, redirect_uris=REDIRECT)), flush=True)
    client.log_in(code=sys.stdin.readline().strip(), scopes=SCOPES, redirect_uri=REDIRECT)
    return client


def ids(entities):
    return [str(one["id"]) for one in entities]


def missing(ask):
    try:
        ask()
    except MastodonNotFoundError:
        return True
    return False


alice, bob = signed_in(), signed_in()
me, other = alice.account_verify_credentials(), bob.account_verify_credentials()
found = {"app": alice.app_verify_credentials()["name"], "uri": alice.instance()["uri"]}

found["following"] = alice.account_follow(other)["following"]
status = bob.status_post("a #quiet morning", visibility="public", language="en")
found["home"] = ids(alice.timeline_home()) == [str(status["id"])]
found["tag"] = str(status["id"]) in ids(alice.timeline_hashtag("quiet"))
answer = alice.status_reply(status, "indeed")
found["answer"] = answer["in_reply_to_id"] == status["id"]
found["context"] = ids(bob.status_context(status)["descendants"]) == [str(answer["id"])]
alice.status_favourite(status)
alice.status_reblog(status)
alice.status_bookmark(status)
seen = alice.status(status)
found["acted"] = [seen["favourited"], seen["reblogged"], seen["bookmarked"], seen["replies_count"]]
found["bookmarks"] = ids(alice.bookmarks()) == [str(status["id"])]
found["edited"] = "evening" in bob.status_update(status, "a #quiet evening")["content"]
found["versions"] = len(bob.status_history(status))
found["notified"] = sorted(one["type"] for one in bob.notifications())
bob.notifications_clear()
found["cleared"] = bob.notifications()

media = alice.media_post(file, mime_type="image/png", description="water", focus=(0.5, -0.5))
shown = alice.status_post("look", media_ids=[media], sensitive=True, spoiler_text="wet")
found["media"] = [[one["type"], one["description"]] for one in shown["media_attachments"]]
poll = alice.make_poll(["tea", "coffee"], 600, multiple=True)
asked = alice.status_post("which?", poll=poll)
bob.poll_vote(asked["poll"], [0, 1])
found["votes"] = [one["votes_count"] for one in bob.poll(asked["poll"])["options"]]
later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
scheduled = alice.status_post("later", scheduled_at=later)
found["scheduled"] = ids(alice.scheduled_statuses()) == [str(scheduled["id"])]
alice.scheduled_status_delete(scheduled)
found["unscheduled"] = alice.scheduled_statuses()

for number in range(5):
    bob.status_post(f"number {number}", visibility="unlisted")
first = alice.account_statuses(other, limit=2)
found["pages"] = [len(page) for page in (first, alice.fetch_next(first), alice.fetch_remaining(first))]
choir = alice.list_create("choir")
alice.list_accounts_add(choir, [other])
found["list"] = [ids(alice.list_accounts(choir)) == [str(other["id"])], len(alice.timeline_list(choir))]
found["search"] = ids(alice.search(other["acct"], result_type="accounts")["accounts"]) == [str(other["id"])]
filter = alice.filter_create("tapirs", ["home"], whole_word=True)
found["filters"] = ids(alice.filters()) == [str(filter["id"])]
alice.filter_delete(filter)
bob.account_follow(me)
found["named"] = bob.account_update_credentials(display_name="Bob", note="sings")["display_name"]
secret = alice.status_post(f"@{other['acct']} psst", visibility="direct")
(conversation,) = bob.conversations()
found["conversation"] = [conversation["last_status"]["id"] == secret["id"], conversation["unread"]]
found["read"] = bob.conversations_read(conversation)["unread"]
bob.markers_set(["home"], [status])
found["marker"] = str(bob.markers_get(["home"])["home"]["last_read_id"]) == str(status["id"])
found["muting"] = alice.account_mute(other)["muting"]
alice.account_unmute(other)
found["blocking"] = alice.account_block(other)["blocking"]
found["blocks"] = ids(alice.blocks()) == [str(other["id"])]
alice.status_delete(asked)
found["deleted"] = missing(lambda: bob.status(asked))
alice.revoke_access_token()
print(json.dumps(found), flush=True)
