-- taken: whether another account has a username, and another user an address.
-- $1 username text
-- $2 email text
-- rows: one
-- plan: two index lookups
select
  exists (select from accounts a where lower(a.username) = lower($1) and lower(coalesce(a.domain, '')) = '') as username,
  exists (select from users u where lower(u.email) = lower($2)) as email
