-- files: the attachments of an account's statuses, oldest first.
-- $1 account bigint
-- $2 after bigint
-- rows: at most 200
-- plan: no sequential scan
select m.id, m.file_key
from media_attachments m
join statuses s on s.id = m.status_id
where m.account_id = $1 and m.id > $2 and m.file_key is not null and s.deleted_at is null
order by m.id
limit 200
