-- cancel: deletes a scheduled status of a person; its attachments become unused, as if uploaded
-- just now.
-- $1 account bigint
-- $2 id bigint
-- rows: none or one
-- plan: no sequential scan
with removed as (
  delete from scheduled_statuses s where s.id = $2 and s.account_id = $1 returning s.id
), released as (
  update media_attachments m set scheduled_status_id = null, created_at = now() from removed where m.scheduled_status_id = removed.id
)
select removed.id from removed
