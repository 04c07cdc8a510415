-- remove_note: deletes a note, if it is the moderator's own or the moderator's role is above the
-- author's; the operator (null) may delete any. Records that in the audit log.
-- $1 moderator bigint
-- $2 id bigint
-- rows: none when there is no such note, else one; removed: whether the moderator may
-- plan: no sequential scan
with found as materialized (
  select n.id, coalesce(handle_of(a), '#' || n.report_id) as name
  from moderation_notes n
  left join accounts a on a.id = n.target_account_id
  where n.id = $2
), removed as (
  delete from moderation_notes n
  using found
  where n.id = found.id and ($1::bigint is null or n.account_id is not distinct from $1 or outranks($1, n.account_id))
  returning n.id, found.name
), recorded as materialized (
  select log_action($1, 'destroy', 'Note', removed.id, removed.name) from removed
)
select (select count(*) from recorded) > 0 as removed from found
