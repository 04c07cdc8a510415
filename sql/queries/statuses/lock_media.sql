-- lock_media: locks the attachments of an edit, in the order in which a post locks them. Later
-- statements read what other requests have made of them meanwhile.
-- $1 account bigint
-- $2 media bigint[]
-- rows: one for each that exists
-- plan: no sequential scan
select m.id
from media_attachments m
where m.id = any ((select $2::bigint[])::bigint[]) and m.account_id = $1
order by m.id
for no key update
