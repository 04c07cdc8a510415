-- names_file: whether a row still names a file that was not found.
-- $1 kind text
-- $2 id bigint
-- $3 key text
-- rows: one when it does
-- plan: one row by key
select true as found
from (
  select one.key
  from media_attachments m
  cross join lateral (values (m.file_key), (m.preview_key), (m.source_key)) one (key)
  where $1 = 'media_attachments' and m.id = $2
  union all
  select one.key
  from accounts a
  cross join lateral (
    values (a.avatar ->> 'key'), (a.avatar ->> 'static_key'), (a.header ->> 'key'), (a.header ->> 'static_key')
  ) one (key)
  where $1 = 'accounts' and a.id = $2
  union all
  select one.key
  from custom_emojis e
  cross join lateral (values (e.image ->> 'key'), (e.image ->> 'static_key')) one (key)
  where $1 = 'custom_emojis' and e.id = $2
  union all
  select p.image_key from preview_cards p where $1 = 'preview_cards' and p.id = $2
  union all
  select one.value from site_pictures s cross join lateral jsonb_each_text(s.keys) one where $1 = 'site_pictures'
  union all
  select b.file_key from backups b where $1 = 'backups' and b.id = $2 and b.ready_at is not null
) used
where used.key = $3
limit 1
