-- clean: removes addresses that were not confirmed within two days, and forgets network addresses
-- after one.
-- rows: one; how many addresses
-- plan: no sequential scan
with forgotten as (
  update email_subscriptions s set requested_ip = null
  where s.requested_ip is not null and s.requested_at < now() - interval '1 day'
    and (s.confirmed_at is not null or s.requested_at >= now() - interval '2 days')
), removed as (
  delete from email_subscriptions s where s.confirmed_at is null and s.requested_at < now() - interval '2 days'
  returning s.id
)
select count(*)::integer as removed from removed
