-- waiting_user: the user whose confirmation of this address is pending: the one who has it, before
-- those who want to change to it.
-- $1 email text
-- rows: none or one
-- plan: no sequential scan, at most 16 buffers
select found.id
from (
  select u.id, 1 as rank from users u
  where lower(u.email) = lower($1::text) and (u.confirmed_at is null or u.unconfirmed_email is not null)
  union all
  select u.id, 2 from users u
  where u.unconfirmed_email is not null and lower(u.unconfirmed_email) = lower($1)
) found
order by found.rank, found.id
limit 1
