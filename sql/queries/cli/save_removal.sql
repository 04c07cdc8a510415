-- save_removal: records the position of a removal of old statuses.
-- $1 before timestamptz
-- $2 clean_followed boolean
-- $3 after bigint
-- $4 removed integer
-- $5 total integer
-- rows: none
-- plan: no sequential scan of statuses
insert into status_removals as r (before, clean_followed, after, removed, total)
values ($1, $2, $3, $4, $5)
on conflict (only_one) do update set
  before = excluded.before, clean_followed = excluded.clean_followed, after = excluded.after, removed = excluded.removed, total = excluded.total
