-- Stores a new status with all its effects: mentions, tags, media, counters, the conversation,
-- notifications and events. Its text and references have been resolved before
-- (queries/statuses/compose.sql).
-- Step by step and not in one statement of twenty parts: most posts have no mentions, tags and
-- files, and each unused part was still set up and torn down for every post (0.41 ms of CPU then,
-- 0.27 now).
-- Returns no row when nothing was stored: another post of the author used the same key within the
-- hour (the second of two simultaneous posts waits here for the first), or one of the attachments
-- was taken meanwhile; attachments of a scheduled status are reserved for it.
-- Of the followers who want a notification for each post up to a hundred are notified here; more
-- are left to a job, because a long transaction holds back the event log. The caller notifies the
-- readers of the log (millrace.defer_notify: see the trigger of events).
create or replace function post_status(
  author bigint, text text, content text, spoiler_text text, visibility visibility, sensitive boolean, language text,
  in_reply_to bigint, in_reply_to_account bigint, conversation bigint, application bigint, quote_policy text,
  mentioned bigint[], tag_ids bigint[], tag_names text[], media bigint[], idempotency_key text, scheduled bigint,
  has_link boolean, linked_collections bigint[]
) returns table (id bigint, created_at timestamptz, conversation_id bigint, events jsonb)
language plpgsql as $$
#variable_conflict use_variable
declare
  locked integer;
  event jsonb;
  silenced boolean;
  recipients bigint[];
  named bigint[];
  causes bigint[];
  notified jsonb;
  partners bigint[] := array[author];
  partner bigint;
  counted bigint;
  counted_at timestamptz;
  setting text;
begin
  id := snowflake();
  created_at := now();
  conversation_id := conversation;
  events := '[]';
  -- Assigned and not performed: an expression needs no executor.
  setting := set_config('millrace.defer_notify', 'on', true);
  setting := set_config('millrace.counted', 'on', true);

  if media <> '{}' then
    perform from media_attachments m
    where m.id = any (media) and m.account_id = author and m.status_id is null
      and m.scheduled_status_id is not distinct from scheduled
    order by m.id
    for update;
    get diagnostics locked = row_count;
    if locked <> cardinality(media) then
      return;
    end if;
  end if;

  -- A deletion of the parent waits for its reply, or the reply is refused.
  if in_reply_to is not null then
    perform from statuses p where p.id = in_reply_to and p.deleted_at is null for share;
    if not found then
      raise exception 'the parent was deleted'
        using errcode = 'foreign_key_violation', constraint = 'statuses_in_reply_to_id_fkey';
    end if;
  end if;

  if idempotency_key is not null then
    insert into idempotency_keys as k (account_id, key, status_id)
    values (author, idempotency_key, id)
    on conflict (account_id, key) do update set status_id = excluded.status_id, scheduled_status_id = null, created_at = now()
    where k.created_at < now() - interval '1 hour';
    if not found then
      return;
    end if;
  end if;

  -- Of the followers who want a notification, if this is no reply to somebody else.
  select
    a.silenced_at is not null,
    array(
      select f.account_id from follows f
      where f.target_account_id = author and f.notify and (in_reply_to is null or in_reply_to_account = author)
      limit 101
    )
  into silenced, recipients
  from accounts a where a.id = author;
  if conversation is null then
    conversation_id := snowflake();
    insert into conversations (id) values (conversation_id);
  end if;
  insert into statuses (
    id, account_id, text, content, spoiler_text, visibility, sensitive, language, in_reply_to_id, in_reply_to_account_id,
    conversation_id, application_id, media_attachment_ids, quote_approval_policy
  )
  values (
    id, author, text, content, spoiler_text, visibility, sensitive, language, in_reply_to, in_reply_to_account,
    conversation_id, application, media, quote_policy
  );
  update day_counters c set amount = c.amount + 1
  where c.counter = 'statuses' and c.day = snowflake_day(id) and c.domain = '' and c.detail = '' and c.slot = pg_backend_pid();
  if not found then
    perform count_by_day('statuses', snowflake_day(id), 1);
  end if;
  if in_reply_to_account <> author then
    perform count_by_day('interactions', snowflake_day(id), 1);
  end if;

  if media <> '{}' then
    update media_attachments m set status_id = id, scheduled_status_id = null where m.id = any (media);
  end if;
  if linked_collections <> '{}' then
    insert into status_collections (status_id, collection_id)
    select id, c.id from visible_collections(author) c where c.id = any (linked_collections);
  end if;
  if tag_ids <> '{}' then
    insert into status_tags (tag_id, status_id) select given.tag_id, id from unnest(tag_ids) given (tag_id);
    update tags t set last_status_at = now()
    where t.id = any (array(
      select old.id from tags old
      where old.id = any ((select tag_ids)::bigint[])
        and (old.last_status_at is null or old.last_status_at < now() - interval '1 hour')
      for update skip locked
    ));
  end if;
  if mentioned <> '{}' then
    with added as (
      insert into mentions as m (status_id, account_id)
      select id, given.account_id from unnest(mentioned) with ordinality given (account_id, place) order by given.place
      returning m.id, m.account_id
    )
    select array_agg(a.account_id order by a.id), array_agg(a.id order by a.id) into named, causes from added a;
  end if;

  if visibility <> 'direct' then
    -- The time is later than that of the status before it: readers of the event know by it whether
    -- they have the counts already.
    insert into account_stats as c (account_id, statuses_count, last_status_at)
    values (author, 1, clock_timestamp())
    on conflict (account_id) do update
      set statuses_count = c.statuses_count + 1,
        last_status_at = greatest(clock_timestamp(), c.last_status_at + interval '1 microsecond')
    returning c.statuses_count, c.last_status_at into counted, counted_at;
  end if;
  insert into events as logged (kind, actor_id, status_id, data)
  values (
    'status.created', author, id,
    new_status_facts(
      silenced, visibility, language, in_reply_to, in_reply_to_account, conversation_id, mentioned, tag_names, media,
      counted, counted_at
    )
  )
  returning event_json(logged) into event;
  events := events || event;
  if in_reply_to is not null and visibility in ('public', 'unlisted') then
    insert into status_stats as c (status_id, replies_count)
    values (in_reply_to, 1)
    on conflict (status_id) do update set replies_count = c.replies_count + 1;
    insert into events as logged (kind, actor_id, status_id, data)
    values ('status.counted', author, in_reply_to, '{}')
    returning event_json(logged) into event;
    events := events || event;
  end if;

  if mentioned <> '{}' then
    notified := notify_all(
      named, array_fill(author, array[cardinality(named)]), 'mention', array_fill(id, array[cardinality(named)]), causes
    );
    events := events || notified;
  end if;
  if cardinality(recipients) > 100 then
    perform enqueue('statuses.notify', json_build_object('status_id', id::text, 'type', 'status'));
  elsif recipients <> '{}' then
    recipients := array(
      select f.account_id from follows f
      where f.target_account_id = author and f.notify and wants_post_notification(f, language, visibility, mentioned)
    );
    causes := array_fill(id, array[cardinality(recipients)]);
    events := events || notify_all(recipients, array_fill(author, array[cardinality(recipients)]), 'status', causes, causes);
  end if;
  if has_link then
    perform enqueue_preview(id);
  end if;
  if visibility = 'direct' then
    partners := partners || array(
      select (e.event ->> 'account_id')::bigint
      from jsonb_array_elements(notified) e (event)
      where not (e.event -> 'data' ->> 'filtered')::boolean
    );
    -- In the order of their ids: people who write to each other at once lock each other's entries.
    foreach partner in array array(select distinct p from unnest(partners) p order by p) loop
      events := events || enter_conversation(partner, conversation_id, id, mentioned || author, partner <> author);
    end loop;
  end if;
  -- For other rows of the transaction the triggers notify and count.
  setting := set_config('millrace.counted', '', true);
  setting := set_config('millrace.defer_notify', '', true);
  return next;
end
$$;
