-- find: an unfinished import, with what stops it.
-- $1 import bigint
-- rows: none when it has finished or does not exist
-- plan: no sequential scan
select
  i.account_id, i.kind, i.overwrite,
  a.suspended_at is not null or a.deletion_requested_at is not null or a.moved_to_account_id is not null as stopped
from imports i
join accounts a on a.id = i.account_id
where i.id = $1 and i.finished_at is null
