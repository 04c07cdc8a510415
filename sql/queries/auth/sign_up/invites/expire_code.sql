-- expire_code: expires the invite with this code, whoever created it, and records that in the audit
-- log unless it is over already.
-- $1 moderator bigint
-- $2 code text
-- rows: one when there is one
-- plan: no sequential scan
with found as materialized (
  select i.id, i.code from invites i where i.code = $2
), ended as (
  update invites i set expires_at = now()
  from found
  where i.id = found.id and (i.expires_at is null or i.expires_at > now())
  returning i.id, i.code
), recorded as materialized (
  select log_action($1::bigint, 'disable', 'Invite', ended.id, ended.code) from ended
)
select found.id, (select count(*) from recorded) as recorded from found
