-- claim_refresh: notes that the results of a poll of another server are asked for now, if they were
-- not within the last minute, and not since the poll has ended.
-- $1 poll bigint
-- rows: one when this caller asks for them
-- plan: no sequential scan
update polls p set fetched_at = now()
from statuses s
where p.id = $1 and s.id = p.status_id and not s.local and s.deleted_at is null
  and (p.fetched_at is null or (p.fetched_at < now() - interval '1 minute' and (p.expires_at is null or p.fetched_at < p.expires_at)))
returning p.status_id
