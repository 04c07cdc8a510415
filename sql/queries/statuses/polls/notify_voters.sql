-- notify_voters: notifies a batch of the local voters of a poll of its end.
-- $1 poll bigint
-- $2 after bigint
-- $3 limit integer
-- rows: one; last: the account after which the next batch begins, null after the last batch
-- plan: no sequential scan
with part as materialized (
  select distinct v.account_id
  from poll_votes v
  where v.poll_id = $1 and v.account_id > $2
  order by v.account_id
  limit $3::integer
), notified as materialized (
  select notify(part.account_id, s.account_id, 'poll', s.id, p.id) as event
  from polls p
  join statuses s on s.id = p.status_id and s.deleted_at is null
  cross join part
  where p.id = $1
)
select
  case when count(*) = $3 then max(part.account_id) end as last,
  (select jsonb_agg(notified.event) from notified where notified.event is not null) as events
from part
