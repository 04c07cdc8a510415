-- find: the user of a browser session. A session that was not used for $2
-- seconds has expired.
-- $1 session_hash bytea
-- $2 retention float8
-- rows: none or one; stale: its last use was recorded more than a day ago
-- plan: no sequential scan, at most 8 buffers
select s.id, s.user_id, s.updated_at < now() - interval '1 day' as stale
from sessions s
where s.session_hash = $1 and s.updated_at > now() - make_interval(secs => $2::float8)
