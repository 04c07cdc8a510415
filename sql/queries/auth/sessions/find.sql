-- find: the user of a browser session. A session that was not used for $2 seconds has expired; its
-- use is recorded in time for that.
-- $1 session_hash bytea
-- $2 retention float8
-- rows: none or one; stale: its last use was recorded more than a day ago, or a tenth of $2
-- plan: no sequential scan, at most 8 buffers
select
  s.id, s.user_id,
  s.updated_at < now() - least(interval '1 day', make_interval(secs => $2::float8 / 10)) as stale
from sessions s
where s.session_hash = $1 and s.updated_at > now() - make_interval(secs => $2::float8)
