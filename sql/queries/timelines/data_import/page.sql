-- page: the latest imports of an account.
-- $1 account bigint
-- rows: at most 10, the newest first
-- plan: no sequential scan
select i.id, i.kind, i.overwrite, i.file_name, i.rows_count, i.done_count, i.failed_count, i.finished_at, i.created_at
from imports i
where i.account_id = $1
order by i.id desc
limit 10
