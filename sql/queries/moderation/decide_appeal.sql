-- decide_appeal: approves or rejects an appeal that waits for a decision, and records it in the
-- audit log. Approval overrules the strike.
-- $1 moderator bigint
-- $2 appeal bigint
-- $3 approves boolean
-- rows: none when there is no such appeal, else one; decided: false when it was decided before;
--   action, status_ids: those of the strike
-- plan: no sequential scan
with found as materialized (
  select p.id, p.account_id, p.account_warning_id, handle_of(a) as handle, w.action, w.status_ids
  from appeals p
  join accounts a on a.id = p.account_id
  join account_warnings w on w.id = p.account_warning_id
  where p.id = $2
), decided as (
  update appeals p
  set
    approved_at = case when $3::boolean then now() end, approved_by_account_id = case when $3 then $1::bigint end,
    rejected_at = case when not $3 then now() end, rejected_by_account_id = case when not $3 then $1 end
  from found
  where p.id = found.id and p.approved_at is null and p.rejected_at is null
  returning found.id, found.account_warning_id, found.handle
), overruled as (
  update account_warnings w set overruled_at = now(), updated_at = now()
  from decided
  where w.id = decided.account_warning_id and $3
), logged as materialized (
  select log_action($1, case when $3 then 'approve' else 'reject' end, 'Appeal', decided.id, decided.handle) from decided
)
select found.account_id, found.action, found.status_ids, (select count(*) from logged) > 0 as decided from found
