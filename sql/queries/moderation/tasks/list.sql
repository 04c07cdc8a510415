-- list: the latest long work of the staff, newest first.
-- $1 limit integer
-- rows: at most $1
-- plan: by key, backwards
select t.id, t.kind, t.target_account_id, t.domain, t.days, t.widened, t.narrowed, t.total_count, t.done_count, t.failed, t.created_at,
  t.finished_at, handle_of(target) as target, moderator.username as moderator
from staff_tasks t
left join accounts target on target.id = t.target_account_id
left join accounts moderator on moderator.id = t.moderator_id
order by t.id desc
limit (select $1::integer)
