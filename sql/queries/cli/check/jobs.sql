-- jobs: queued jobs of a kind that no worker of this version runs.
-- $1 kinds text[]
-- rows: one a kind
-- plan: one pass over the queue
select coalesce(j.task_identifier, '') as kind, count(*)::integer as amount
from graphile_worker.jobs j
where j.task_identifier <> all ((select $1::text[])::text[])
group by j.task_identifier
order by j.task_identifier
