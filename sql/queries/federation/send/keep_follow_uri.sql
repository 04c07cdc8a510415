-- keep_follow_uri: stores the id that a request to follow was sent with, which stays that of the
-- follow.
-- $1 id bigint
-- $2 uri text
-- rows: none
-- plan: no sequential scan
update follow_requests r set uri = $2 where r.id = $1
