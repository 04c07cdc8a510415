-- make_owner: creates the account and user of the owner, confirmed and approved; removes the link.
-- $1 username text
-- $2 email text
-- $3 password_hash text
-- $4 locale text
-- $5 ip inet
-- rows: one; none when no role has every permission
-- plan: no sequential scan but of roles and the link, which are few
with role as (
  select r.id from roles r where (r.permissions & permission('administrator')) <> 0 order by r.position desc, r.id limit 1
), removed as (
  delete from owner_links
), account as (
  insert into accounts (username) select $1 from role returning accounts.id
), counted as (
  insert into account_stats (account_id) select account.id from account
), created as (
  insert into users (account_id, email, password_hash, confirmed_at, approved, role_id, locale, sign_up_ip)
  select account.id, $2, $3, now(), true, role.id, $4::text, $5::inet from account, role
  returning users.id, users.account_id
), logged as (
  insert into events (kind, account_id, data)
  select 'account.changed', created.account_id, '{"change": "created"}'::jsonb from created
  union all
  select 'user.changed', created.account_id, '{"change": "created"}' from created
  returning event_json(events) as event
)
select created.id as user_id, (select jsonb_agg(logged.event) from logged) as events from created
