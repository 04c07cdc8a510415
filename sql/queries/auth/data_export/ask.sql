-- ask: notes that a user wants an archive, unless one was asked for later than the given time.
-- $1 user bigint
-- $2 file_key text
-- $3 not_since timestamptz
-- rows: one, or none when it is too early
-- plan: no sequential scan
insert into backups (user_id, file_key)
select $1, $2::text
where not exists (select from backups b where b.user_id = $1 and b.created_at > $3::timestamptz)
returning backups.id
