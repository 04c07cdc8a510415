-- conversations: takes an account whose row is to be deleted out of the direct conversations of
-- others, which are found by up to a thousand of its mentions, newest first. These are deleted
-- afterwards.
-- $1 account bigint
-- $2 before bigint
-- rows: one; last: the last status read, before which the next call begins; null when there are no
--   more
-- plan: no sequential scan
with batch as materialized (
  select m.status_id
  from mentions m
  where m.account_id = $1 and m.status_id < coalesce($2::bigint, 9223372036854775807)
  order by m.status_id desc
  limit 1000
), left_participants as materialized (
  select leave_participants($1, direct.conversations) as events
  from (
    select array_agg(distinct s.conversation_id) as conversations
    from batch
    join statuses s on s.id = batch.status_id
    where s.visibility = 'direct'
  ) direct
  where direct.conversations is not null
)
select (select min(batch.status_id) from batch) as last, (select l.events from left_participants l) as events
