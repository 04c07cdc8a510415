-- activities: the subjects of notifications that refer to no status.
-- $1 ids bigint[]
-- rows: one a notification that has an activity
-- plan: no sequential scan
select n.id, n.activity_id from notifications n where n.id = any ((select $1::bigint[])::bigint[]) and n.activity_id is not null
