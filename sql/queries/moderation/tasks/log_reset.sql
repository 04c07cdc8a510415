-- log_reset: records in the audit log that the relationships of a local account are ended.
-- $1 moderator bigint
-- $2 account bigint
-- rows: none when there is no such account, else one
-- plan: one row by key
select log_action($1::bigint, 'reset_relationships', 'Account', a.id, a.username) as entry
from accounts a
where a.id = $2 and a.domain is null
