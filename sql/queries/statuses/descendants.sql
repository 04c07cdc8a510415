-- descendants: the answers to a status, and the answers to those. The nearest come first, so that the limit cuts off the deepest.
-- Those that the viewer is not shown are listed too, because their own answers may be.
-- $1 viewer bigint
-- $2 status bigint
-- $3 amount integer
-- $4 depth integer
-- rows: one a status
-- plan: no sequential scan
with recursive thread (id, parent_id, self_reply, depth) as (
  select s.id, s.in_reply_to_id, s.in_reply_to_account_id = s.account_id, 1 from statuses s where s.in_reply_to_id = $2
  union all
  select s.id, s.in_reply_to_id, s.in_reply_to_account_id = s.account_id, thread.depth + 1
  from thread
  join statuses s on s.in_reply_to_id = thread.id
  where thread.depth < $4
), nearest as materialized (
  select thread.id, thread.parent_id, thread.self_reply, thread.depth from thread limit $3::integer::integer
)
select
  nearest.id,
  nearest.parent_id,
  coalesce(nearest.self_reply, false) as self_reply,
  nearest.id in (
    select s.id from shown_statuses($1) s where s.id = any (array(select nearest.id from nearest))
  ) as shown
from nearest
order by nearest.depth, nearest.id
