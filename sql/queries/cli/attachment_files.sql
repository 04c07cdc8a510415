-- attachment_files: the files of attachments with an id above the given one, in order.
-- $1 after bigint
-- rows: at most 1000
-- plan: no sequential scan
select m.id, a.domain is null as local, array_remove(array[m.file_key, m.preview_key, m.source_key], null) as files
from media_attachments m
join accounts a on a.id = m.account_id
where m.id > $1
order by m.id
limit 1000
