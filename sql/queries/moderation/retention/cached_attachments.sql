-- cached_attachments: cached attachments of other servers that are older than a time, in order;
-- they can be fetched again.
-- $1 after bigint
-- $2 before timestamptz
-- rows: at most 500
-- plan: no sequential scan
select m.id, array_remove(array[m.file_key, m.preview_key], null) as files
from media_attachments m
join accounts a on a.id = m.account_id
where m.id > $1 and m.created_at < $2 and m.remote_url is not null and m.file_key is not null and a.domain is not null
order by m.id
limit 500
