-- statuses: the statuses and boosts of an account, oldest first, with all data that an export
-- contains.
-- $1 account bigint
-- $2 after bigint
-- rows: at most 200
-- plan: no sequential scan
select
  s.id, s.created_at, s.edited_at, s.content, s.spoiler_text, s.visibility, s.sensitive, s.language, s.in_reply_to_id,
  s.reblog_of_id, q.quoted_status_id,
  (
    select coalesce(jsonb_agg(jsonb_build_object('id', a.id::text, 'username', a.username, 'domain', a.domain, 'uri', a.uri) order by m.id), '[]')
    from mentions m
    join accounts a on a.id = m.account_id
    where m.status_id = s.id and not m.silent
  ) as mentions,
  array(select t.display_name from status_tags x join tags t on t.id = x.tag_id where x.status_id = s.id order by t.id) as tags,
  (
    select coalesce(
      jsonb_agg(jsonb_build_object('id', f.id::text, 'key', f.file_key, 'description', f.description, 'blurhash', f.blurhash) order by f.id), '[]'
    )
    from media_attachments f
    where f.status_id = s.id and f.file_key is not null
  ) as attachments,
  p.options as poll_options, p.tallies as poll_tallies, p.multiple as poll_multiple, p.voters_count as poll_voters, p.expires_at as poll_expires_at,
  p.ended_at as poll_ended_at
from statuses s
left join quotes q on q.status_id = s.id
left join polls p on p.status_id = s.id
where s.account_id = $1 and s.deleted_at is null and s.id > $2
order by s.id
limit 200
