-- waiting_user: the user whose confirmation of this address is pending.
-- $1 email text
-- rows: none or one
-- plan: no sequential scan, at most 16 buffers
select found.id
from (
  select u.id from users u
  where lower(u.email) = lower($1::text) and (u.confirmed_at is null or u.unconfirmed_email is not null)
  union all
  select u.id from users u
  where u.unconfirmed_email is not null and lower(u.unconfirmed_email) = lower($1)
) found
order by found.id
limit 1
