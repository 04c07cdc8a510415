-- find: long work that is not finished.
-- $1 task bigint
-- rows: none when it is finished or does not exist, else one
-- plan: one row by key
select t.kind, t.moderator_id, t.target_account_id, t.domain, t.days, t.widened, t.narrowed, t.total_count, t.done_count, t.created_at
from staff_tasks t
where t.id = $1 and t.finished_at is null
