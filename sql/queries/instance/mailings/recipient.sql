-- recipient: a member who gets an e-mail of a mailing.
-- $1 user bigint
-- rows: none when the user was deleted or may no longer be written to, else one
-- plan: rows by key
select u.email, u.locale, a.username
from users u
join accounts a on a.id = u.account_id
where u.id = $1 and u.confirmed_at is not null and u.approved and a.suspended_at is null
  and a.deletion_requested_at is null and not a.memorial
