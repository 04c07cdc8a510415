-- file_references: every stored file that a row names, in the order of the bytes of the keys, for
-- COPY. A picture that is shown from another server is no file.
-- rows: one a use; several rows may name one file
-- plan: one pass over the tables that name files, sorted on the disk when they are large
select used.key, used.kind, used.id
from (
  select one.key, 'media_attachments' as kind, m.id
  from media_attachments m
  cross join lateral (values (m.file_key), (m.preview_key), (m.source_key)) one (key)
  union all
  select one.key, 'accounts', a.id
  from accounts a
  cross join lateral (
    values (a.avatar ->> 'key'), (a.avatar ->> 'static_key'), (a.header ->> 'key'), (a.header ->> 'static_key')
  ) one (key)
  union all
  select one.key, 'custom_emojis', e.id
  from custom_emojis e
  cross join lateral (values (e.image ->> 'key'), (e.image ->> 'static_key')) one (key)
  union all
  select p.image_key, 'preview_cards', p.id from preview_cards p
  union all
  select one.value, 'site_pictures', 0 from site_pictures s cross join lateral jsonb_each_text(s.keys) one
  union all
  select b.file_key, 'backups', b.id from backups b where b.ready_at is not null
) used
where used.key is not null and used.key !~ '^https?:'
order by used.key collate "C"
