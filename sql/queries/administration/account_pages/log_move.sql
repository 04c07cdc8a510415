-- log_move: records in the audit log that a moderator has moved a local account.
-- $1 moderator bigint
-- $2 account bigint
-- rows: one, or none when there is no such local account
-- plan: no sequential scan
select log_action($1, 'migrate', 'Account', a.id, a.username) as entry
from accounts a
where a.id = $2 and a.domain is null
