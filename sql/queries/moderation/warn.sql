-- warn: stores a strike of an account. Notifies the account if wanted and if it is local.
-- $1 moderator bigint
-- $2 account bigint
-- $3 action text
-- $4 text text
-- $5 report bigint
-- $6 statuses bigint[]
-- $7 tells boolean
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
  select log_action($1, 'create', 'AccountWarning', target.warning, target.handle) from target where $3 = 'none' or $4 <> ''
), notified as materialized (
  select notify(target.id, target.id, 'moderation_warning', null, target.warning) as event from target where target.is_local and $7::boolean
)
select
  target.warning as id,
  target.is_local,
  (select jsonb_agg(notified.event) from notified, (select count(*) from logged) noted where notified.event is not null) as events
from target
