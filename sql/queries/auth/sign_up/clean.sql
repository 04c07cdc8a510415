-- clean: removes users who did not confirm their address within a week, with their accounts, which
-- frees their names; also removes old counters of refused e-mail domains and expired network rules.
-- rows: one
-- plan: no sequential scan but of ip_blocks, a small table
with late as (
  select u.account_id from users u
  where u.confirmed_at is null and u.confirmation_sent_at < now() - interval '7 days'
  order by u.confirmation_sent_at
  limit 1000
  for update skip locked
), removed as (
  delete from accounts a using late where a.id = late.account_id returning a.id
), uncounted as (
  delete from email_domain_block_attempts t where t.day < (now() at time zone 'UTC')::date - 7
), removed_rules as (
  delete from ip_blocks b where b.expires_at <= now()
), logged as (
  insert into events (kind, account_id, data)
  select one.kind, removed.id, one.data
  from removed cross join (
    values
      ('user.changed', '{"change": "deleted"}'::jsonb), ('account.changed', '{"change": "deleted"}'), ('account.deleted', '{}')
  ) one (kind, data)
  returning event_json(events) as event
)
select (select count(*)::integer from removed) as removed, (select jsonb_agg(logged.event) from logged) as events
