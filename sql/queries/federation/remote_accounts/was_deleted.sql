-- was_deleted: whether an actor said within six hours that it is deleted.
-- $1 uri text
-- rows: one
-- plan: no sequential scan
select exists (select from tombstones t where t.uri = $1 and t.created_at > now() - interval '6 hours') as deleted
