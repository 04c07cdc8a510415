-- find: the user that a browser is signed in as. A session that has not been used for a year is over.
-- $1 session_hash bytea
-- rows: none or one; stale: not noted as used for a day
-- plan: no sequential scan, at most 8 buffers
select s.id, s.user_id, s.updated_at < now() - interval '1 day' as stale
from sessions s
where s.session_hash = $1 and s.updated_at > now() - interval '1 year'
