-- drop: deletes a scheduled status that is due and cannot be posted; its attachments become unused,
-- as if uploaded just now.
-- $1 id bigint
-- rows: none when it no longer exists, or is no longer due
-- plan: no sequential scan
with removed as (
  delete from scheduled_statuses s where s.id = $1 and s.scheduled_at <= now() returning s.id
), released as (
  update media_attachments m set scheduled_status_id = null, created_at = now() from removed where m.scheduled_status_id = removed.id
)
select removed.id from removed
