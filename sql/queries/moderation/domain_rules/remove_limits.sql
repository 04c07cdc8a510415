-- remove_limits: removes the limits of these accounts that date from the time of a removed rule,
-- unless their present rule is of the same time, as rules that were imported together are.
-- $1 since text
-- $2 ids bigint[]
-- rows: one
-- plan: no sequential scan of accounts
with before as materialized (
  select
    a.id,
    coalesce(a.silenced_at = $1::text::timestamptz and kept.severity is distinct from 'silence', false) as silenced,
    coalesce(a.suspended_at = $1::text::timestamptz and kept.severity is distinct from 'suspend', false) as suspended
  from accounts a
  left join lateral (
    select r.severity from domain_rule(a.domain) r where r.created_at = $1::text::timestamptz
  ) kept on true
  where a.id = any ((select $2::bigint[])::bigint[])
), changed as (
  update accounts a set
    silenced_at = case when before.silenced then null else a.silenced_at end,
    suspended_at = case when before.suspended then null else a.suspended_at end,
    updated_at = now()
  from before
  where a.id = before.id and (before.silenced or before.suspended)
  returning a.id, before.suspended
), logged as (
  insert into events (kind, account_id, data)
  select 'account.changed', changed.id, jsonb_build_object('change', case when changed.suspended then 'unsuspended' else 'unsilenced' end)
  from changed
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
