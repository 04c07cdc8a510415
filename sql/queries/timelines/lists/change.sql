-- change: changes the attributes of a list of the viewer; null values stay unchanged.
-- $1 viewer bigint
-- $2 list bigint
-- $3 title text
-- $4 replies_policy text
-- $5 exclusive boolean
-- rows: none when the viewer has no such list
-- plan: no sequential scan
with changed as (
  update lists l
  set title = coalesce($3, l.title), replies_policy = coalesce($4, l.replies_policy),
    exclusive = coalesce($5, l.exclusive), updated_at = now()
  where l.id = $2 and l.account_id = $1
  returning l.id, l.title, l.replies_policy, l.exclusive
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'list.changed', $1, changed.id, '{"change": "updated"}' from changed
  returning event_json(events) as event
)
select
  changed.id, changed.title, changed.replies_policy, changed.exclusive, (select jsonb_agg(logged.event) from logged) as events
from changed
