-- note_row: records what became of a row, and counts it.
-- $1 import bigint
-- $2 position integer
-- $3 failed boolean
-- $4 target bigint
-- $5 domain text
-- rows: none when it was recorded before
-- plan: no sequential scan
with noted as (
  update import_rows r
  set state = case when $3::boolean then 'failed' else 'done' end, target_id = $4::bigint, target_domain = $5::text
  where r.import_id = $1 and r.position = $2 and r.state = 'waiting'
  returning r.import_id
)
update imports i
set done_count = i.done_count + 1, failed_count = i.failed_count + case when $3::boolean then 1 else 0 end
from noted
where i.id = noted.import_id
returning i.id
