-- The facts of status_facts for a new original of this server, from what the statement that stores
-- it knows, without a query. statuses and last_status_at: the author's counters after it; null when
-- it is not counted.
create or replace function new_status_facts(
  silenced boolean, visibility visibility, language text, in_reply_to bigint, in_reply_to_account bigint, conversation bigint,
  mentioned bigint[], tag_names text[], media bigint[], statuses bigint, last_status_at timestamptz
) returns jsonb
language sql stable
return jsonb_build_object(
  'visibility', visibility, 'local', true, 'domain', null, 'silenced', silenced, 'language', language,
  'reblog_of_id', null, 'reblog_account_id', null, 'reblog_domain', null, 'in_reply_to_id', in_reply_to::text,
  'in_reply_to_account_id', in_reply_to_account::text, 'conversation_id', conversation::text,
  'mentions', mentioned::text[], 'silent_mentions', '[]'::jsonb, 'tags', tag_names, 'has_media', media <> '{}',
  'reblog_mentions', '[]'::jsonb, 'author_counts',
  case when last_status_at is not null then
    jsonb_build_object('statuses', statuses, 'last_status_us', (extract(epoch from last_status_at) * 1000000)::bigint)
  end
);
