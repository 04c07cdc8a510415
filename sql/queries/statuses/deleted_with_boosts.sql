-- deleted_with_boosts: some of the statuses that were deleted before a time and still have boosts,
-- which were made while they were deleted, or replies, which an earlier version left.
-- $1 before timestamptz
-- rows: none when there is no such one
-- plan: no sequential scan
select d.id
from statuses d
where d.deleted_at < $1 and (
  exists (select from statuses b where b.reblog_of_id = d.id and b.deleted_at is null)
  or exists (select from statuses r where r.in_reply_to_id = d.id)
)
limit 100
