-- due: a scheduled status that is due, with its author and application.
-- $1 id bigint
-- rows: none or one
-- plan: no sequential scan
select s.account_id, u.id as user_id, s.application_id, s.params, s.settled
from scheduled_statuses s
left join users u on u.account_id = s.account_id
where s.id = $1 and s.scheduled_at <= now()
