-- remove_limits: removes the limits of these accounts that date from the time of a removed rule. If
-- another rule limits them in the same way, such as that of a subdomain, they date from that one.
-- $1 since text
-- $2 ids bigint[]
-- rows: one
-- plan: no sequential scan of accounts
with before as materialized (
  select
    a.id,
    coalesce(a.silenced_at = $1::text::timestamptz, false) as silenced,
    coalesce(a.suspended_at = $1::text::timestamptz, false) as suspended,
    case kept.severity when 'silence' then kept.created_at end as silenced_from,
    case kept.severity when 'suspend' then kept.created_at end as suspended_from
  from accounts a
  left join lateral (select r.severity, r.created_at from domain_rule(a.domain) r) kept on true
  where a.id = any ((select $2::bigint[])::bigint[])
), changed as (
  update accounts a set
    silenced_at = case when before.silenced then before.silenced_from else a.silenced_at end,
    suspended_at = case when before.suspended then before.suspended_from else a.suspended_at end,
    updated_at = now()
  from before
  where a.id = before.id and (before.silenced or before.suspended)
  returning
    a.id, before.silenced and before.silenced_from is null as unsilenced,
    before.suspended and before.suspended_from is null as unsuspended
), logged as (
  insert into events (kind, account_id, data)
  select
    'account.changed', changed.id,
    jsonb_build_object('change', case when changed.unsuspended then 'unsuspended' else 'unsilenced' end)
  from changed
  where changed.unsilenced or changed.unsuspended
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
