-- thread: a page of the public and unlisted statuses of a thread, from its first status. Of longer
-- threads it has the 4,096 statuses that are nearest to the first, deleted and private ones
-- counted, since each page reads all of them.
-- $1 root bigint
-- $2 min_id bigint
-- rows: at most 60, oldest first
-- plan: no sequential scan
with recursive thread as (
  select s.id from statuses s where s.id = $1
  union
  select r.id from thread join statuses r on r.in_reply_to_id = thread.id where r.deleted_at is null
), nearest as materialized (
  select thread.id from thread limit 4096
)
select s.id, s.account_id, s.uri
from nearest
join statuses s on s.id = nearest.id
join accounts a on a.id = s.account_id
where s.id > coalesce($2::bigint, 0) and s.deleted_at is null and s.visibility in ('public', 'unlisted')
  and a.suspended_at is null and a.deletion_requested_at is null and not a.pending
order by s.id
limit 60
