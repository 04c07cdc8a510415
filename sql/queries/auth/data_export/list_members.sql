-- list_members: the members of a list, as rows of a CSV file for other servers.
-- $1 list bigint
-- $2 local_domain text
-- $3 after bigint
-- rows: at most 1000; id: of the member
-- plan: no sequential scan
select a.id, array[l.title, a.username || '@' || coalesce(a.domain, $2::text)] as cells
from lists l
join list_accounts m on m.list_id = l.id
join accounts a on a.id = m.account_id
where l.id = $1 and m.account_id > $3
order by m.account_id
limit 1000
