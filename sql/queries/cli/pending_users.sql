-- pending_users: the users waiting for approval, longest first.
-- $1 limit integer
-- rows: at most $1; all of them when it is null
-- plan: users in the order of their keys, until there are enough: an operator's command
select a.username from users u join accounts a on a.id = u.account_id where not u.approved order by u.id limit $1::integer
