-- cached_attachments: cached attachments of other servers that are older than a time, in order;
-- they can be fetched again.
-- $1 after bigint
-- $2 before timestamptz
-- $3 keep_interacted boolean
-- rows: at most 500; $3: without those of statuses that somebody here has favourited, bookmarked,
--   boosted, quoted or answered
-- plan: no sequential scan; attachments with a copy in the order of their keys
select m.id, array_remove(array[m.file_key, m.preview_key], null) as files
from media_attachments m
join accounts a on a.id = m.account_id
where m.id > $1 and m.created_at < $2 and m.remote_url is not null and m.file_key is not null and a.domain is not null
  and not (
    $3 and (
      exists (select from favourites f join accounts l on l.id = f.account_id where f.status_id = m.status_id and l.domain is null)
      or exists (select from bookmarks b where b.status_id = m.status_id)
      or exists (select from statuses b where b.reblog_of_id = m.status_id and b.local)
      or exists (select from statuses r where r.in_reply_to_id = m.status_id and r.local)
      or exists (select from quotes q join accounts l on l.id = q.account_id where q.quoted_status_id = m.status_id and l.domain is null)
    )
  )
order by m.id
limit 500
