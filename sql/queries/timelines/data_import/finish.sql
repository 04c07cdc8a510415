-- finish: ends an import. Rows that failed stay for download, and those that were never tried when
-- it was stopped count as failed.
-- $1 import bigint
-- rows: none when it has finished before
-- plan: no sequential scan
with stopped as (
  update import_rows r set state = 'failed' where r.import_id = $1 and r.state = 'waiting' returning r.position
), removed as (
  delete from import_rows r where r.import_id = $1 and r.state = 'done'
)
update imports i
set finished_at = now(), failed_count = i.failed_count + (select count(*) from stopped)
where i.id = $1 and i.finished_at is null
returning i.id
