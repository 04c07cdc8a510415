-- set_follow_request_uri: stores the URI with which a follow request was sent; the follow keeps it.
-- $1 id bigint
-- $2 uri text
-- rows: none
-- plan: no sequential scan
update follow_requests r set uri = $2 where r.id = $1
