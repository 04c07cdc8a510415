-- Stores a status of another server with all its effects, as post_status does for local ones:
-- conversation, mentions, tags, media, poll, counters, notifications and events.
-- Returns no row when a status with this URI exists, or was deleted before it came. The rest of the
-- transaction sends nothing to other servers. The caller notifies the readers of the log
-- (millrace.defer_notify: see the trigger of events).
-- The id is made of the time when it was published, so that it takes its place in feeds; streams
-- leave out what is older than six hours.
-- conversation_uri: of the thread as the other server calls it; null: none was given.
-- mentioned, silent: accounts that are named in tags, and others that may see it.
-- tags: identities with the spelling in display_tags.
-- media: objects with type, remote_url, description, blurhash and meta.
-- poll: options, tallies, voters, multiple, expires_at and ended_at; null without one.
-- notified: whether accounts are notified.
-- missing_parent: the URI of a status that it answers and that is unknown: a job fetches it; depth:
-- how many statuses of the thread were fetched before.
create or replace function receive_status(
  author bigint, object_uri text, page text, content text, spoiler_text text, visibility visibility, sensitive boolean, language text,
  published timestamptz, parent bigint, conversation_uri text, mentioned bigint[], silent bigint[], tags text[],
  display_tags text[], media jsonb, poll jsonb, quote_policy text, notified boolean, has_link boolean,
  missing_parent text, depth integer
) returns table (id bigint, poll_id bigint, events jsonb)
language plpgsql as $$
#variable_conflict use_variable
declare
  made statuses;
  answered statuses;
  conversation bigint;
  media_ids bigint[] := '{}';
  event jsonb;
  mention record;
  partners bigint[] := '{}';
  recipients bigint[];
  counted bigint;
  counted_at timestamptz;
  setting text;
begin
  if exists (select from statuses s where s.uri = object_uri) or exists (
    select from tombstones t where t.uri = object_uri and (t.kept or t.created_at > now() - interval '6 hours')
  ) then
    return;
  end if;
  setting := set_config('millrace.receiving', 'on', true);
  setting := set_config('millrace.defer_notify', 'on', true);
  events := '[]';
  published := least(published, now());
  id := snowflake_at(published);
  select p.* into answered from statuses p where p.id = parent and p.deleted_at is null;
  conversation := answered.conversation_id;
  if conversation is null and conversation_uri is not null then
    insert into conversations as c (uri) values (conversation_uri)
    on conflict (uri) where uri is not null do update set uri = excluded.uri
    returning c.id into conversation;
  elsif conversation is null then
    conversation := snowflake();
    insert into conversations (id) values (conversation);
  end if;
  if media <> '[]' then
    with given as (
      select snowflake() as id, m.place, m.item from jsonb_array_elements(media) with ordinality m (item, place)
    ), stored as (
      insert into media_attachments as a (id, account_id, type, remote_url, description, blurhash, meta)
      select
        given.id, author, given.item ->> 'type', given.item ->> 'remote_url', given.item ->> 'description',
        given.item ->> 'blurhash', given.item -> 'meta'
      from given
      returning a.id
    )
    select coalesce(array_agg(given.id order by given.place), '{}') into media_ids
    from given join stored on stored.id = given.id;
  end if;

  insert into statuses as s (
    id, account_id, local, uri, url, content, spoiler_text, visibility, sensitive, language, in_reply_to_id,
    in_reply_to_account_id, conversation_id, media_attachment_ids, quote_approval_policy, created_at
  )
  values (
    id, author, false, object_uri, page, content, spoiler_text, visibility, sensitive, language, answered.id,
    case when answered.account_id = author then coalesce(answered.in_reply_to_account_id, author) else answered.account_id end,
    conversation, media_ids, quote_policy, published
  )
  on conflict do nothing
  returning s.* into made;
  if made.id is null then
    delete from media_attachments m where m.id = any (media_ids);
    setting := set_config('millrace.defer_notify', '', true);
    return;
  end if;

  if media_ids <> '{}' then
    update media_attachments m set status_id = id where m.id = any (media_ids);
  end if;
  if tags <> '{}' then
    insert into tags as t (name, display_name)
    select given.name, given.display_name from unnest(tags, display_tags) given (name, display_name) order by given.name
    on conflict (name) do nothing;
    insert into status_tags (tag_id, status_id) select t.id, id from tags t where t.name = any (tags);
    update tags t set last_status_at = now()
    where t.id in (
      select old.id from tags old
      where old.name = any (tags) and (old.last_status_at is null or old.last_status_at < now() - interval '1 hour')
      for update skip locked
    );
  end if;
  if mentioned <> '{}' or silent <> '{}' then
    insert into mentions (status_id, account_id, silent)
    select id, given.account_id, given.silent
    from (
      select n.account_id, false as silent, n.place from unnest(mentioned) with ordinality n (account_id, place)
      union all
      select n.account_id, true, 1000 + n.place from unnest(silent) with ordinality n (account_id, place)
    ) given
    order by given.place
    on conflict do nothing;
  end if;
  if poll is not null then
    insert into polls as p (status_id, options, tallies, voters_count, multiple, hide_totals, expires_at, ended_at)
    select
      id, array(select jsonb_array_elements_text(poll -> 'options')),
      array(select jsonb_array_elements_text(poll -> 'tallies'))::integer[], (poll ->> 'voters')::integer,
      (poll ->> 'multiple')::boolean, false, (poll ->> 'expires_at')::timestamptz, (poll ->> 'ended_at')::timestamptz
    returning p.id into poll_id;
  end if;

  if visibility <> 'direct' then
    insert into account_stats as c (account_id, statuses_count, last_status_at)
    values (author, 1, published)
    on conflict (account_id) do update
      set statuses_count = c.statuses_count + 1,
        last_status_at = greatest(published, c.last_status_at + interval '1 microsecond')
    returning c.statuses_count, c.last_status_at into counted, counted_at;
  end if;
  insert into events as logged (kind, actor_id, status_id, data)
  values (
    'status.created', author, id,
    status_facts(made, mentioned, silent, tags) || jsonb_build_object('author_counts', case when counted is not null then
      jsonb_build_object('statuses', counted, 'last_status_us', (extract(epoch from counted_at) * 1000000)::bigint)
    end)
  )
  returning event_json(logged) into event;
  events := events || event;
  if answered.id is not null and visibility in ('public', 'unlisted') then
    insert into status_stats as c (status_id, replies_count) values (answered.id, 1)
    on conflict (status_id) do update set replies_count = c.replies_count + 1;
    insert into events as logged (kind, actor_id, status_id, data)
    values ('status.counted', author, answered.id, '{}')
    returning event_json(logged) into event;
    events := events || event;
  end if;

  if mentioned <> '{}' then
    for mention in
      select m.id, m.account_id from mentions m join accounts a on a.id = m.account_id
      where m.status_id = id and a.domain is null and not m.silent order by m.id
    loop
      event := case when notified then notify(mention.account_id, author, 'mention', id, mention.id) end;
      if event is not null then
        events := events || event;
      end if;
      if not notified or not coalesce((event -> 'data' ->> 'filtered')::boolean, true) then
        partners := partners || mention.account_id;
      end if;
    end loop;
  end if;
  if visibility = 'direct' and partners <> '{}' then
    select events || coalesce(jsonb_agg(e.result), '[]') into events
    from unnest(partners) partner (account_id)
    cross join lateral (
      select enter_conversation(partner.account_id, conversation, id, mentioned || author, notified) as result
    ) e;
  end if;

  if notified and (made.in_reply_to_account_id is null or made.in_reply_to_account_id = author) then
    recipients := array(select f.account_id from follows f where f.target_account_id = author and f.notify limit 101);
    if cardinality(recipients) > 100 then
      perform enqueue('statuses.notify', json_build_object('status_id', id::text, 'type', 'status'));
    elsif recipients <> '{}' then
      select events || coalesce(jsonb_agg(n.result) filter (where n.result is not null), '[]') into events
      from follows f
      cross join lateral (select notify(f.account_id, author, 'status', id, id) as result) n
      where f.target_account_id = author and f.notify and wants_post_notification(f, language, visibility, mentioned);
    end if;
  end if;
  if has_link then
    perform enqueue_preview(id);
  end if;
  if missing_parent is not null then
    perform enqueue(
      'federation.fetch_parent', json_build_object('status_id', id::text, 'uri', missing_parent, 'depth', depth), attempts => 4,
      priority => 10
    );
  end if;
  -- For other rows of the transaction the trigger notifies.
  setting := set_config('millrace.defer_notify', '', true);
  return next;
end
$$;
