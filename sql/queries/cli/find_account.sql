-- find_account: a local account by name, with its user, if it has one.
-- $1 username text
-- rows: none or one
-- plan: no sequential scan
select
  a.id, a.username, u.id as user_id, u.email, a.suspended_at is not null as suspended,
  coalesce(u.confirmed_at is not null, false) as confirmed, coalesce(u.approved, false) as approved,
  (select count(*) from statuses s where s.account_id = a.id and s.deleted_at is null)::integer as statuses_count
from accounts a
left join users u on u.account_id = a.id
where lower(a.username) = lower($1) and lower(coalesce(a.domain, '')) = ''
