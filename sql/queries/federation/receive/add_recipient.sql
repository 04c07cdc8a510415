-- add_recipient: lets the owner of an inbox see a status that was delivered there without
-- mentioning the owner.
-- $1 status bigint
-- $2 account bigint
-- rows: none
-- plan: no sequential scan
insert into mentions (status_id, account_id, silent)
select s.id, a.id, true
from statuses s
join accounts a on a.id = $2 and a.domain is null
where s.id = $1 and s.account_id <> a.id
on conflict (status_id, account_id) do nothing
