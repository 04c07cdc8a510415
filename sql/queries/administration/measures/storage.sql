-- storage: the version of PostgreSQL, and the bytes of the database and of the files of
-- attachments.
-- rows: one; counted: the number of counters of files
-- plan: the counters of files by index; the sizes of all tables on disk
select
  current_setting('server_version') as version,
  pg_database_size(current_database()) as database_bytes,
  files.bytes as media_bytes, files.counted
from (
  select coalesce(sum(c.amount), 0)::bigint as bytes, count(*) as counted from day_counters c where c.counter = 'media_bytes'
) files
