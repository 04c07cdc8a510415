-- own_statuses: the statuses among these that belong to the account and are not deleted, newest
-- first. They are locked, in the order of deletions: of two moderators who act on them at the same
-- moment, the second sees what the first has done.
-- $1 account bigint
-- $2 ids bigint[]
-- rows: one a status; has_media: whether it shows attachments or the preview of a page
-- plan: no sequential scan
with own as materialized (
  select s.id, s.media_attachment_ids, s.sensitive
  from statuses s
  where s.id = any ((select $2::bigint[])::bigint[]) and s.account_id = $1 and s.deleted_at is null and s.reblog_of_id is null
  order by s.id
  for no key update of s
)
select
  own.id,
  own.media_attachment_ids <> '{}' or exists (select from preview_cards_statuses x where x.status_id = own.id) as has_media,
  own.sensitive
from own
order by own.id desc
