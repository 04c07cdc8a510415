-- request: records a user's request for an archive, unless one was requested after the given time.
-- $1 user bigint
-- $2 file_key text
-- $3 not_since timestamptz
-- rows: one, or none when it is too early
-- plan: no sequential scan
insert into backups (user_id, file_key)
select $1, $2::text
where not exists (select from backups b where b.user_id = $1 and b.created_at > $3::timestamptz)
returning backups.id
