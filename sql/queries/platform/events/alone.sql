-- alone: whether exactly one process listens to events. A session that is just connecting counts;
-- the names of sessions are visible to all.
-- $1 application text: the name of sessions that listen
-- rows: one
-- plan: the sessions of the server
select count(*) = 1 as alone
from pg_stat_activity a
where a.datname = current_database() and a.application_name = $1
