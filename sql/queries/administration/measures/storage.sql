-- storage: the version of PostgreSQL, and the bytes of the database and of the files of
-- attachments.
-- rows: one
-- plan: the counters of files by index; the sizes of all tables on disk
select
  current_setting('server_version') as version,
  pg_database_size(current_database()) as database_bytes,
  coalesce((select sum(c.amount) from day_counters c where c.counter = 'media_bytes'), 0)::bigint as media_bytes
