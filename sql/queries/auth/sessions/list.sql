-- list: the browsers in which a user is signed in.
-- $1 user bigint
-- rows: one for each, the last used first
-- plan: no sequential scan
select s.id, s.user_agent, host(s.ip) as ip, s.created_at, s.updated_at
from sessions s
where s.user_id = $1
order by s.updated_at desc, s.id desc
