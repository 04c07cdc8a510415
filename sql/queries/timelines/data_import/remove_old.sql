-- remove_old: removes imports that finished a week ago.
-- rows: one for each
-- plan: no sequential scan
delete from imports i where i.finished_at < now() - interval '7 days' returning i.id
