-- activities: the successful and failed sign-ins of a user.
-- $1 user bigint
-- rows: the newest hundred
-- plan: no sequential scan
select l.method, l.success, host(l.ip) as ip, l.user_agent, l.created_at
from login_activities l
where l.user_id = $1
order by l.id desc
limit 100
