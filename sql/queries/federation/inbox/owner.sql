-- owner: the owner of a personal inbox.
-- $1 account bigint
-- rows: none when there is no such local account; gone: nothing is delivered to it ever again
-- plan: no sequential scan
select a.id, not exists (select from users u where u.account_id = a.id) as gone
from accounts a
where a.id = $1 and a.domain is null and not a.pending
