-- count_cached: the number of cached attachments of other servers that are older than a time.
-- $1 before timestamptz
-- rows: one
-- plan: a sequential scan of media_attachments: rare, when old ones are removed by hand
select count(*)::integer as number
from media_attachments m
join accounts a on a.id = m.account_id
where m.created_at < $1 and m.remote_url is not null and m.file_key is not null and a.domain is not null
