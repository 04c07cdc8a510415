-- mark_welcomed: records that the actions after a user's confirmation and approval are done.
-- $1 user bigint
-- rows: one the first time, later none
-- plan: no sequential scan
update users u set welcomed_at = now()
where u.id = $1 and u.welcomed_at is null and u.confirmed_at is not null and u.approved
returning u.id
