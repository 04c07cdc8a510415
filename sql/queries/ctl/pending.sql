-- pending: the users that wait for approval, those who have waited longest first.
-- $1 most integer
-- rows: at most that many; all of them when it is null
select a.username from users u join accounts a on a.id = u.account_id where not u.approved order by u.id limit $1::integer
