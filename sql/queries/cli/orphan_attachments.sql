-- orphan_attachments: the number of attachments that are older than a time and belong to no status,
-- posted or scheduled.
-- $1 before timestamptz
-- rows: one
-- plan: no sequential scan
select count(*)::integer as number
from media_attachments m
where m.status_id is null and m.scheduled_status_id is null and m.created_at < $1
