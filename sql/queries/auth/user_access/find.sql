-- find: the user of an account, for moderators who change the login.
-- $1 moderator bigint
-- $2 account bigint
-- $3 email text
-- rows: none when the account has no user; outranks: whether the moderator's role is above the
--   user's; taken: whether another user has the address $3
-- plan: no sequential scan
select
  u.id, u.email, u.confirmed_at is not null as confirmed, u.approved, u.otp_enabled_at is not null as has_second_factor,
  $1::bigint is null or outranks($1, u.account_id) as outranks,
  exists (select from users other where lower(other.email) = lower($3) and other.id <> u.id) as taken
from users u
where u.account_id = $2
for no key update of u
