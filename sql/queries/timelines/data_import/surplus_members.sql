-- surplus_members: the members of lists that the file names, whom it does not name for that list.
-- $1 account bigint
-- $2 import bigint
-- rows: one a list
-- plan: no sequential scan
select l.id, array_agg(m.account_id) as members
from lists l
join list_accounts m on m.list_id = l.id
where l.account_id = $1
  and exists (
    select from import_rows r where r.import_id = $2 and r.position >= 0 and r.cells[1] = l.title
  )
  and not exists (
    select from import_rows r where r.import_id = $2 and r.target_id = m.account_id and r.cells[1] = l.title
  )
group by l.id
