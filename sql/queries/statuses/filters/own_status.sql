-- own_status: the entry of a status in a filter of the viewer.
-- $1 viewer bigint
-- $2 id bigint
-- rows: none when the viewer has no such entry
-- plan: no sequential scan
select x.id, x.status_id
from filter_statuses x
join filters f on f.id = x.filter_id
where x.id = $2 and f.account_id = $1
