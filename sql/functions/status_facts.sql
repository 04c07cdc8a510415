-- The data of status.created, status.updated and status.deleted (src/statuses/event_facts.ts). The
-- mentioned accounts are parameters, because a statement cannot see the rows that it inserts.
create or replace function status_facts(status statuses, mentioned bigint[], silently bigint[], tag_names text[]) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'visibility', status.visibility,
    'local', status.local,
    'domain', a.domain,
    'silenced', a.silenced_at is not null,
    'language', status.language,
    'reblog_of_id', status.reblog_of_id::text,
    'reblog_account_id', (select o.account_id::text from statuses o where o.id = status.reblog_of_id),
    'reblog_domain', (
      select b.domain from statuses o join accounts b on b.id = o.account_id where o.id = status.reblog_of_id
    ),
    'in_reply_to_id', status.in_reply_to_id::text,
    'in_reply_to_account_id', status.in_reply_to_account_id::text,
    'conversation_id', status.conversation_id::text,
    'mentions', to_jsonb(mentioned::text[]),
    'silent_mentions', to_jsonb(silently::text[]),
    'tags', to_jsonb(tag_names),
    'has_media', status.media_attachment_ids <> '{}',
    'reblog_mentions', to_jsonb(array(
      select m.account_id::text from mentions m where m.status_id = status.reblog_of_id and not m.silent order by m.id
    ))
  ) || case when status.parent_unknown then '{"parent_unknown": true}' else '{}' end::jsonb
  from accounts a
  where a.id = status.account_id
$$;

-- The facts of a status that is stored with its mentions and tags.
create or replace function status_facts(status statuses) returns jsonb
language sql stable as $$
  select status_facts(
    status,
    array(select m.account_id from mentions m where m.status_id = status.id and not m.silent order by m.id),
    array(select m.account_id from mentions m where m.status_id = status.id and m.silent order by m.id),
    array(select t.name from status_tags x join tags t on t.id = x.tag_id where x.status_id = status.id order by t.id)
  )
$$;
