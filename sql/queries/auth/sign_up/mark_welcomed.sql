-- mark_welcomed: what follows from a user's confirmation and approval is done.
-- $1 user bigint
-- rows: one the first time, then none
-- plan: no sequential scan
update users u set welcomed_at = now()
where u.id = $1 and u.welcomed_at is null and u.confirmed_at is not null and u.approved
returning u.id
