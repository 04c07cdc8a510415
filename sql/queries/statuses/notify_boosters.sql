-- notify_boosters: a part of those who boosted a status hear that it was edited; this takes the place of what they heard before.
-- $1 status bigint
-- $2 after bigint
-- $3 amount integer
-- rows: one; last is the boost that the next part begins after, null when there is no next part
-- plan: no sequential scan
with post as materialized (
  select s.id, s.account_id from statuses s where s.id = $1 and s.deleted_at is null
), part as materialized (
  select b.id, b.account_id
  from post
  join statuses b on b.reblog_of_id = post.id and b.deleted_at is null and b.local
  where b.id > $2
  order by b.id
  limit $3::integer
), notified as materialized (
  select notify(part.account_id, post.account_id, 'update', post.id, post.id) as event from post cross join part
)
select
  case when count(*) = $3 then max(part.id) end as last,
  (select jsonb_agg(notified.event) from notified where notified.event is not null) as events
from part
