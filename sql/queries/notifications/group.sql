-- group: the newest notification of one group of the viewer. Ungrouped notifications are found by
-- their ids.
-- $1 viewer bigint
-- $2 group_key text
-- rows: none when all of it is hidden, else one
-- plan: no sequential scan
select n.id as position, n.group_key, n.id, n.type, n.from_account_id, n.status_id, n.created_at
from shown_notifications($1) n
where n.group_key = $2 and not n.filtered
order by n.id desc
limit 1
