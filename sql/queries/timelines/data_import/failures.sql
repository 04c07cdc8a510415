-- failures: the rows of an import of the account that failed.
-- $1 account bigint
-- $2 import bigint
-- rows: none when the account has no such import; kind in each; cells: null when no row failed
-- plan: no sequential scan
select i.kind, r.cells
from imports i
left join import_rows r on r.import_id = i.id and r.state = 'failed'
where i.id = $2 and i.account_id = $1
order by r.position
