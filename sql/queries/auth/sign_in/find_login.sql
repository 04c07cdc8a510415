-- find_login: the user with this e-mail address, for signing in. The caller lower-cases the address
-- by the same rules as for counting attempts: PostgreSQL's may map more capitals, and each would be
-- another key for the same user.
-- $1 email text
-- rows: none or one
-- plan: no sequential scan, at most 16 buffers
select u.id, u.password_hash, u.confirmed_at is not null as confirmed, u.otp_enabled_at is not null as second_factor, a.memorial
from users u join accounts a on a.id = u.account_id
where lower(u.email) = $1
