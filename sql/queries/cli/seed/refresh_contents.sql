-- refresh_contents: the kinds of content and the texts for the search of some accounts' statuses,
-- whose attachments, polls and previews were stored after them.
-- $1 accounts bigint[]
-- rows: none
-- plan: the statuses of each account by index
update statuses s
set content_kinds = content_kinds_of(s.id, s.media_attachment_ids), attached_text = attached_text_of(s.id, s.media_attachment_ids)
where s.account_id = any ($1::bigint[]) and s.reblog_of_id is null
  and (s.content_kinds, s.attached_text)
    <> (content_kinds_of(s.id, s.media_attachment_ids), attached_text_of(s.id, s.media_attachment_ids))
