-- deactivate: expires invites of anybody, and records each in the audit log.
-- $1 moderator bigint
-- $2 ids bigint[]
-- rows: one; amount: how many could still be used; null ids: all of them
-- plan: rows by key, or all of them
with ended as (
  update invites i set expires_at = now()
  where ($2::bigint[] is null or i.id = any ((select $2::bigint[])::bigint[]))
    and (i.expires_at is null or i.expires_at > now()) and (i.max_uses is null or i.uses < i.max_uses)
  returning i.id, i.code
), recorded as materialized (
  select log_action($1::bigint, 'disable', 'Invite', ended.id, ended.code) from ended
)
select count(*)::integer as amount from recorded
