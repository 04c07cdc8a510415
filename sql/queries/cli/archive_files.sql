-- archive_files: the files of downloadable archives with an id above the given one.
-- $1 after bigint
-- rows: at most 1000
-- plan: no sequential scan; a thousand rows by key
select b.id, b.file_key
from backups b
where b.id > $1 and b.file_key is not null and b.ready_at is not null
order by b.id
limit 1000
