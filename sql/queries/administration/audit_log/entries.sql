-- entries: entries of the log of moderators' actions, newest first.
-- $1 moderator text
-- $2 action text
-- $3 target_type text
-- $4 target_id bigint
-- $5 max_id bigint
-- $6 min_id bigint
-- $7 limit integer
-- rows: at most $7; with $6 the entries next above it, the oldest first; $1 an empty name: the
--   operator; null: no condition
-- plan: no sequential scan; reads the log from its end, all of it when few entries match
select l.id, l.account_id, moderator.username as moderator, l.action, l.target_type, l.target_id, l.target_name, l.created_at
from admin_action_logs l
left join accounts moderator on moderator.id = l.account_id
where ($1::text is null or coalesce(lower(moderator.username), '') = lower($1))
  and ($2::text is null or l.action = $2)
  and ($3::text is null or l.target_type = $3)
  and ($4::bigint is null or l.target_id = $4)
  and ($5::bigint is null or l.id < $5)
  and ($6::bigint is null or l.id > $6)
order by case when $6 is null then -l.id else l.id end
limit $7::integer
