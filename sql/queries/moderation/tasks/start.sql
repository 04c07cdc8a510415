-- start: stores long work of the staff, and records it in the audit log; once more for another
-- type of target that it is about, too. When the same work is not finished yet, it goes on, with
-- all that either of them includes. Forgets what finished a month ago.
-- $1 moderator bigint
-- $2 kind text
-- $3 target bigint
-- $4 domain text
-- $5 days integer
-- $6 widened boolean
-- $7 narrowed boolean
-- $8 action text
-- $9 target_type text
-- $10 also text
-- $11 name text
-- rows: one, or none when there is no such account
-- plan: rows by key; a sequential scan of staff_tasks, which has few rows
with forgotten as (
  delete from staff_tasks t where t.finished_at < now() - interval '30 days'
), subject as (
  select a.id, handle_of(a) as name from accounts a where a.id = $3::bigint
  union all
  select null, $11 where $3::bigint is null
), started as (
  insert into staff_tasks (kind, moderator_id, target_account_id, domain, days, widened, narrowed)
  select $2, $1::bigint, subject.id, $4, $5::integer, $6, $7 from subject
  on conflict (kind, coalesce(target_account_id, 0), coalesce(domain, ''), coalesce(days, 0)) where finished_at is null
    do update set
      widened = staff_tasks.widened or excluded.widened,
      narrowed = staff_tasks.narrowed and excluded.narrowed
  returning staff_tasks.id
), recorded as materialized (
  select log_action($1, $8, one.type, subject.id, subject.name) as entry
  from subject cross join unnest(array[$9, $10::text]) one (type)
  where one.type is not null
)
select started.id, (select count(*) from recorded)::integer as recorded from started
