-- set_offering: stores whether an account's owner offers subscriptions.
-- $1 account bigint
-- $2 offers boolean
-- rows: none when nothing changes, else one
-- plan: one row by key
with changed as (
  update users u set email_subscriptions = $2, updated_at = now()
  where u.account_id = $1 and u.email_subscriptions <> $2
  returning u.account_id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'user.changed', changed.account_id, changed.account_id, '{"change": "preferences"}' from changed
  returning event_json(events) as event
)
select changed.account_id as id, (select jsonb_agg(logged.event) from logged) as events from changed
