-- warn: stores a strike of an account. Notifies the account if wanted and if it is local. The audit
-- log gets an entry for a warning with a text, and for an action on statuses; other actions have
-- their own entries.
-- $1 moderator bigint
-- $2 account bigint
-- $3 action text
-- $4 text text
-- $5 report bigint
-- $6 statuses bigint[]
-- $7 notifies boolean
-- rows: one; is_local: whether an e-mail can be sent
-- plan: no sequential scan
with created as materialized (
  insert into account_warnings (account_id, target_account_id, action, text, report_id, status_ids)
  values ($1, $2, $3, $4, $5, $6)
  returning account_warnings.id, account_warnings.target_account_id
), target as materialized (
  select created.id as warning, a.id, a.domain is null as is_local, handle_of(a) as handle
  from created
  join accounts a on a.id = created.target_account_id
), logged as materialized (
  select log_action($1, 'create', 'AccountWarning', target.warning, target.handle) from target where $4 <> '' and $3 = 'none' or $3 in ('delete_statuses', 'mark_statuses_as_sensitive')
), notified as materialized (
  select notify(target.id, target.id, 'moderation_warning', null, target.warning) as event from target where target.is_local and $7::boolean
)
select
  target.warning as id,
  target.is_local,
  (select count(*) from logged) as recorded,
  (select jsonb_agg(notified.event) from notified where notified.event is not null) as events
from target
