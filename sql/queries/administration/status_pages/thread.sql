-- thread: the thread of a status as far as staff may see it (staff_statuses): its ancestors, the
-- root first, and its direct replies.
-- $1 viewer bigint
-- $2 status bigint
-- $3 limit integer
-- rows: at most $3 above it and $3 below it
-- plan: no sequential scan
with recursive above (id, distance) as (
  select s.in_reply_to_id, 1 from statuses s where s.id = $2 and s.in_reply_to_id is not null
  union all
  select s.in_reply_to_id, above.distance + 1
  from above
  join statuses s on s.id = above.id
  where s.in_reply_to_id is not null and above.distance < $3::integer
), below as (
  select s.id
  from staff_statuses($1) s
  where s.in_reply_to_id = $2 and s.deleted_at is null
  order by s.id
  limit (select $3)
)
select around.id, around.is_reply
from (
  select s.id, false as is_reply, -above.distance as place
  from above
  join staff_statuses($1) s on s.id = above.id and s.deleted_at is null
  union all
  select below.id, true, row_number() over (order by below.id) from below
) around
order by around.place
