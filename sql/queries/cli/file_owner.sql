-- file_owner: the record that a stored file belongs to.
-- $1 key text
-- rows: one when there is one; username and status_id: those of the page that shows it
-- plan: all attachments, accounts, emojis and previews: files are found by records, not the reverse
select 'attachment' as kind, a.username, a.domain, s.id as status_id
from media_attachments m
join accounts a on a.id = m.account_id
left join statuses s on s.id = m.status_id and s.deleted_at is null
where $1::text in (m.file_key, m.preview_key)
union all
select 'profile', a.username, a.domain, null
from accounts a
where $1 in (a.avatar ->> 'key', a.avatar ->> 'static_key', a.header ->> 'key', a.header ->> 'static_key')
union all
select 'emoji', null, e.domain, null from custom_emojis e where $1 in (e.image ->> 'key', e.image ->> 'static_key')
union all
select 'card', null, null, null from preview_cards k where k.image_key = $1
limit 1
