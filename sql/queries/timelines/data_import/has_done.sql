-- has_done: whether a row of an import was imported.
-- $1 import bigint
-- rows: one
-- plan: no sequential scan
select exists (select from import_rows r where r.import_id = $1 and r.state = 'done') as done
