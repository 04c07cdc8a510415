-- find: one notification of the viewer, which may be filtered.
-- $1 viewer bigint
-- $2 notification bigint
-- rows: none when it does not exist, is not the viewer's or is hidden; else one
-- plan: no sequential scan
select n.id, n.type, n.from_account_id, n.status_id, n.group_key, n.filtered, n.created_at
from shown_notifications($1) n
where n.id = $2
