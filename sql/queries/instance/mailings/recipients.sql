-- recipients: the next members who get an e-mail of a mailing: those who were members when it
-- began.
-- $1 after bigint
-- $2 since timestamptz
-- $3 limit integer
-- rows: at most $3, in the order of their ids
-- plan: in the order of the key
select u.id, u.email, u.locale, a.username
from users u
join accounts a on a.id = u.account_id
where u.id > $1 and u.confirmed_at <= $2::timestamptz and u.approved and a.suspended_at is null
  and a.deletion_requested_at is null and not a.memorial
order by u.id
limit (select $3::integer)
