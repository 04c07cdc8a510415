-- next_rows: the next rows of an import.
-- $1 import bigint
-- $2 limit integer
-- rows: in the order of the file
-- plan: no sequential scan
select r.position, r.cells
from import_rows r
where r.import_id = $1 and r.state = 'waiting'
order by r.position
limit $2::integer
