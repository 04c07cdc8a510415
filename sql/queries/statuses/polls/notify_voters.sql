-- notify_voters: notifies a batch of the local voters of a poll of its end. An edit that reopens
-- the poll waits for this batch, and removes these notifications too; no batch follows then.
-- $1 poll bigint
-- $2 after bigint
-- $3 limit integer
-- rows: one; last: the account after which the next batch begins, null after the last batch
-- plan: no sequential scan
with ended as materialized (
  -- The status first, as edits lock them.
  select p.id, s.id as status_id, s.account_id as author
  from polls p
  join statuses s on s.id = p.status_id and s.deleted_at is null
  where p.id = $1 and p.ended_at is not null
  for key share of s for share of p
), part as materialized (
  select distinct v.account_id
  from ended
  join poll_votes v on v.poll_id = ended.id and v.account_id > $2
  order by v.account_id
  limit $3::integer
), notified as materialized (
  select
    notify_all(
      array_agg(part.account_id order by part.account_id), array_agg(ended.author), 'poll', array_agg(ended.status_id),
      array_agg(ended.id)
    ) as events
  from ended cross join part
)
select
  case when count(*) = $3 then max(part.account_id) end as last,
  (select nullif(notified.events, '[]') from notified) as events
from part
