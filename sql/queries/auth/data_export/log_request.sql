-- log_request: records in the audit log that the staff requested an archive for a user.
-- $1 moderator bigint
-- $2 user bigint
-- rows: none when there is no such user, else one
-- plan: one row by key
select log_action($1::bigint, 'backup', 'User', u.id, a.username) as entry
from users u
join accounts a on a.id = u.account_id
where u.id = $2
