-- Applies an edit of a remote status. A version that is not newer than the stored one changes only
-- the tallies of its poll and its quote policy. One that only chose another link changes the
-- preview.
-- updated: the time of the edit; null: not edited. Other parameters as those of receive_statuses.
-- Returns no row when the author has no such status; poll_id: a poll whose end is to be scheduled.
-- A poll that turns out to be closed gets an end in the past and ends by that job, as others do.
create or replace function receive_edit(
  status bigint, author bigint, content text, spoiler_text text, sensitive boolean, language text, updated timestamptz,
  mentioned bigint[], tags text[], display_tags text[], media jsonb, poll jsonb, quote_policy text, has_link boolean,
  link text default null
) returns table (edited boolean, poll_id bigint, events jsonb)
language plpgsql as $$
#variable_conflict use_variable
declare
  old statuses;
  made statuses;
  old_poll polls;
  event jsonb;
  notified jsonb;
  media_ids bigint[];
  options text[] := array(select jsonb_array_elements_text(poll -> 'options'));
  tallies integer[] := array(select jsonb_array_elements_text(poll -> 'tallies'))::integer[];
  is_closed boolean := poll ->> 'ended_at' is not null;
  ends_at timestamptz := (poll ->> 'expires_at')::timestamptz;
  reopens boolean;
  recipients bigint[];
  causes bigint[];
  removed_tags text[];
  is_relinked boolean;
begin
  events := '[]';
  select s.* into old from statuses s
  where s.id = status and s.account_id = author and not s.local and s.deleted_at is null and s.reblog_of_id is null
  for update;
  if not found then
    return;
  end if;
  select p.* into old_poll from polls p where p.status_id = status for no key update;
  edited := updated is not null and updated > coalesce(old.edited_at, old.created_at) and (
    (old.content, old.spoiler_text, old.sensitive, old.language) is distinct from (content, spoiler_text, sensitive, language)
    or (old_poll.id is null) <> (poll is null)
    or old_poll.options is distinct from case when poll is null then null else options end
    or array(
      select row (m.remote_url, m.description)::text
      from unnest(old.media_attachment_ids) with ordinality i (id, place) join media_attachments m on m.id = i.id
      order by i.place
    ) <> array(
      select row (m.item ->> 'remote_url', m.item ->> 'description')::text
      from jsonb_array_elements(media) with ordinality m (item, place) order by m.place
    )
  );

  is_relinked := has_link and link is not null and updated > coalesce(old.edited_at, old.created_at) and (
    exists (select from preview_cards_statuses p where p.status_id = status and p.url <> link)
    -- The job for an earlier link has not ended.
    or exists (select from graphile_worker.jobs j where j.key = 'preview_cards.attach:' || status)
  );

  if is_closed and old_poll.expires_at <= now() then
    ends_at := least(ends_at, old_poll.expires_at);
  end if;
  reopens := old_poll.ended_at is not null and not is_closed and coalesce(ends_at > now(), true);
  if old_poll.id is not null and poll is not null and old_poll.options = options and (
    (old_poll.tallies, old_poll.voters_count, old_poll.expires_at) is distinct from (tallies, (poll ->> 'voters')::integer, ends_at)
    or (old_poll.ended_at is null and is_closed)
  ) then
    update polls p set
      tallies = tallies, voters_count = (poll ->> 'voters')::integer, expires_at = ends_at,
      ended_at = case when not reopens then p.ended_at end
    where p.id = old_poll.id;
    if reopens then
      events := events || withdraw_poll_notifications(old_poll.id, author);
    end if;
    if old_poll.ended_at is null or old_poll.expires_at > now() or not is_closed then
      poll_id := old_poll.id;
    end if;
    insert into events as logged (kind, actor_id, status_id, object_id)
    values ('status.counted', author, status, old_poll.id)
    returning event_json(logged) into event;
    events := events || event;
  end if;
  if not edited then
    if old.quote_approval_policy <> quote_policy then
      update statuses s set quote_approval_policy = quote_policy where s.id = status returning s.* into made;
      insert into events as logged (kind, actor_id, status_id, data)
      values ('status.updated', author, status, status_facts(made) || '{"reason": "quote_policy"}')
      returning event_json(logged) into event;
      events := events || event;
    end if;
    if is_relinked then
      perform enqueue_preview(status, link);
    end if;
    return next;
    return;
  end if;

  with given as (
    select
      coalesce(
        (select m.id from media_attachments m where m.status_id = status and m.remote_url = g.item ->> 'remote_url' order by m.id limit 1),
        snowflake()
      ) as id,
      g.place, g.item
    from jsonb_array_elements(media) with ordinality g (item, place)
  ), stored as (
    insert into media_attachments as a (id, account_id, status_id, type, remote_url, preview_remote_url, description, blurhash, meta)
    select
      given.id, author, status, given.item ->> 'type', given.item ->> 'remote_url', given.item ->> 'preview_remote_url',
      given.item ->> 'description', given.item ->> 'blurhash', given.item -> 'meta'
    from given
    on conflict (id) do update
      set
        preview_remote_url = excluded.preview_remote_url, description = excluded.description, blurhash = excluded.blurhash,
        meta = excluded.meta,
        -- That of the copy is kept.
        type = case when a.type = 'unknown' then excluded.type else a.type end
  )
  select coalesce(array_agg(given.id order by given.place), '{}') into media_ids from given;
  -- A status that was first seen after an edit has no versions either.
  if not exists (select from status_edits e where e.status_id = status) then
    insert into status_edits (status_id, account_id, text, content, spoiler_text, sensitive, details, created_at)
    values (
      status, author, '', old.content, old.spoiler_text, old.sensitive,
      jsonb_build_object('media', array(
        select jsonb_build_object('id', m.id::text, 'description', m.description)
        from unnest(old.media_attachment_ids) with ordinality i (id, place) join media_attachments m on m.id = i.id
        order by i.place
      )) || case when old_poll.id is null then '{}' else jsonb_build_object('poll', old_poll.options) end,
      coalesce(old.edited_at, old.created_at)
    );
  end if;
  insert into status_edits (status_id, account_id, text, content, spoiler_text, sensitive, details, created_at)
  values (
    status, author, '', content, spoiler_text, sensitive,
    jsonb_build_object('media', array(
      select jsonb_build_object('id', m.id::text, 'description', m.description)
      from unnest(media_ids) with ordinality i (id, place) join media_attachments m on m.id = i.id
      order by i.place
    )) || case when poll is null then '{}' else jsonb_build_object('poll', options) end,
    least(updated, now())
  );

  if old_poll.id is not null and (poll is null or old_poll.options <> options) then
    events := events || withdraw_poll_notifications(old_poll.id, author);
    delete from polls p where p.id = old_poll.id;
  end if;
  if poll is not null and (old_poll.id is null or old_poll.options <> options) then
    insert into polls as p (status_id, options, tallies, voters_count, multiple, hide_totals, expires_at, ended_at)
    values (
      status, options, tallies, (poll ->> 'voters')::integer, (poll ->> 'multiple')::boolean, false,
      ends_at, (poll ->> 'ended_at')::timestamptz
    )
    returning case when not is_closed then p.id end into poll_id;
  end if;
  with removed as (
    delete from status_tags x using tags t where x.status_id = status and t.id = x.tag_id and t.name <> all (tags)
    returning t.name
  )
  select coalesce(array_agg(removed.name), '{}') into removed_tags from removed;
  insert into tags as t (name, display_name)
  select given.name, given.display_name from unnest(tags, display_tags) given (name, display_name) order by given.name
  on conflict (name) do nothing;
  insert into status_tags (tag_id, status_id) select t.id, status from tags t where t.name = any (tags) on conflict do nothing;
  update mentions m set silent = true where m.status_id = status and not m.silent and m.account_id <> all (mentioned);
  if old.content <> content or old.media_attachment_ids <> media_ids or is_relinked then
    delete from preview_cards_statuses p where p.status_id = status;
    if has_link then
      perform enqueue_preview(status, link);
    else
      perform graphile_worker.remove_job('preview_cards.attach:' || status);
    end if;
  end if;
  update statuses s set
    content = receive_edit.content, spoiler_text = receive_edit.spoiler_text, sensitive = receive_edit.sensitive,
    language = receive_edit.language, quote_approval_policy = quote_policy, media_attachment_ids = media_ids,
    edited_at = least(updated, now())
  where s.id = status
  returning s.* into made;
  insert into events as logged (kind, actor_id, status_id, data)
  values (
    'status.updated', author, status,
    status_facts(
      made, mentioned,
      array(select m.account_id from mentions m where m.status_id = status and m.account_id <> all (mentioned)), tags
    ) || jsonb_build_object('removed_tags', removed_tags)
  )
  returning event_json(logged) into event;
  events := events || event;
  with named as (
    insert into mentions as m (status_id, account_id)
    select status, given.account_id from unnest(mentioned) with ordinality given (account_id, place) order by given.place
    on conflict (status_id, account_id) do update set silent = false where m.silent
    returning m.id, m.account_id
  )
  select array_agg(n.account_id order by n.id), array_agg(n.id order by n.id) into recipients, causes from named n;
  -- Edits of an account that is suspended here are stored too, but it reaches nobody by them.
  if recipients is not null and exists (select from accounts a where a.id = author and a.suspended_at is null) then
    notified := notify_all(
      recipients, array_fill(author, array[cardinality(recipients)]), 'mention', array_fill(status, array[cardinality(recipients)]),
      causes
    );
    events := events || notified;
    if made.visibility = 'direct' then
      -- In the order of their ids, as post_status locks the entries.
      select events || coalesce(jsonb_agg(e.result), '[]') into events
      from (
        select n.account_id
        from jsonb_to_recordset(notified) n (account_id bigint, data jsonb)
        where not (n.data ->> 'filtered')::boolean
        order by n.account_id
      ) partner
      cross join lateral (
        select enter_conversation(partner.account_id, made.conversation_id, status, mentioned || author, true) as result
      ) e;
    end if;
  end if;
  if exists (select from statuses b where b.reblog_of_id = status and b.deleted_at is null and b.local) then
    perform enqueue('statuses.notify', json_build_object('status_id', status::text, 'type', 'update'));
  end if;
  if exists (select from quotes q where q.quoted_status_id = status and q.state = 'accepted') then
    perform enqueue('statuses.notify', json_build_object('status_id', status::text, 'type', 'quoted_update'));
  end if;
  return next;
end
$$;
