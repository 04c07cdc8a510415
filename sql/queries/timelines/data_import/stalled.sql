-- stalled: imports that have not finished in two days. The longest takes hours.
-- rows: one for each
-- plan: no sequential scan
select i.id from imports i where i.finished_at is null and i.created_at < now() - interval '2 days'
