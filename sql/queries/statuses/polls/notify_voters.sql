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
  select
    notify_all(
      array_agg(part.account_id order by part.account_id), array_agg(s.account_id), 'poll', array_agg(s.id), array_agg(p.id)
    ) as events
  from polls p
  join statuses s on s.id = p.status_id and s.deleted_at is null
  cross join part
  where p.id = $1
)
select
  case when count(*) = $3 then max(part.account_id) end as last,
  (select nullif(notified.events, '[]') from notified) as events
from part
