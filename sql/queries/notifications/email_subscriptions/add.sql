-- add: stores an address that is to be confirmed, unless it is subscribed already.
-- $1 account bigint
-- $2 email text
-- $3 locale text
-- $4 ip inet
-- rows: one; own: the same network address asked for the same within a day
-- plan: rows by key
with known as materialized (
  select s.id, s.requested_ip = $4::inet and s.requested_at > now() - interval '1 day' as own
  from email_subscriptions s
  where s.account_id = $1 and s.email = $2
), added as (
  insert into email_subscriptions as s (account_id, email, locale, requested_ip) values ($1, $2, $3, $4::inet)
  on conflict (account_id, email) do update
  set locale = case when s.confirmed_at is null then excluded.locale else s.locale end,
    requested_ip = case when s.confirmed_at is null then excluded.requested_ip else s.requested_ip end,
    requested_at = case when s.confirmed_at is null then now() else s.requested_at end
  returning s.id
)
select added.id, coalesce((select known.own from known), false) as own from added
