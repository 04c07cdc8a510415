-- Stores statuses of other servers with all their effects, as post_status does for a local one:
-- conversation, mentions, tags, media, poll, counters, notifications and events.
-- Stores several at once, because starting each statement, mainly opening the indexes of statuses,
-- costs more than inserting one status.
-- Skips statuses whose URI exists, or was deleted before they arrived. The rest of the transaction
-- sends nothing to other servers. The caller notifies the readers of the event log
-- (millrace.defer_notify: see the trigger of events).
-- The id contains the time of publication, which orders feeds; streams leave out statuses that are
-- older than six hours.
-- Rows of authors are locked before those of statuses, each in the order of their ids, as in
-- receive_boosts.
-- given: objects with
--   author, uri, page, content, spoiler_text, visibility, sensitive, language, published, parent,
--   quote_policy
--   edited: the time of its last edit; null: it was not edited
--   conversation: the URI of the thread on the other server; null: unknown
--   mentioned, silent: mentioned accounts, and other accounts with access
--   tags: identities, with the spelling in display_tags
--   media: objects with type, remote_url, preview_remote_url, description, blurhash and meta
--   poll: options, tallies, voters, multiple, expires_at and ended_at; null without one
--   notified: whether accounts are notified
--   likes, shares: how many its server counts; null: unknown
--   has_link: whether a preview card may be shown
--   link: what its server chose for the preview; null: nothing
--   parent_unknown: whether it answers a status that is not stored here;
--   missing_parent: the URI of an unknown parent, which a job fetches;
--     depth: the number of statuses of the thread that were fetched before
-- Returns a row for each stored status, with its place (from 1); the first has the events of all.
create or replace function receive_statuses(given jsonb)
returns table (place integer, id bigint, poll_id bigint, events jsonb)
language plpgsql as $$
#variable_conflict use_column
declare
  -- Of all that are given, by place.
  ids bigint[];
  -- Those that are stored, and their places.
  made statuses[];
  places integer[];
  -- The ids of attachments by place, and all of them.
  attachments jsonb := '{}';
  files bigint[] := '{}';
  added bigint[];
  -- The ids of polls by place.
  polls_made bigint[];
  logged jsonb := '[]';
  poll bigint;
  item record;
  setting text;
begin
  setting := set_config('millrace.receiving', 'on', true);
  setting := set_config('millrace.defer_notify', 'on', true);
  setting := set_config('millrace.counted', 'on', true);
  -- Waits for deletions of the same URIs, which wait for this (lock_uris): the next statements see
  -- their tombstones, and they see these statuses.
  perform pg_advisory_xact_lock(hashtext('status_uri'), key.hash)
  from (
    select distinct hashtext(g.uri) as hash from jsonb_to_recordset(given) as g (uri text) order by hash
  ) key;
  select array_agg(snowflake_at(least(g.published, now())) order by g.place) into ids
  from rows from (jsonb_to_recordset(given) as (published timestamptz)) with ordinality g (published, place);

  if jsonb_path_exists(given, '$[*].media[*]') then
    for item in
      select g.place, g.author, g.media
      from rows from (jsonb_to_recordset(given) as (author bigint, media jsonb)) with ordinality g (author, media, place)
      where g.media <> '[]'
    loop
      with file as (
        select snowflake() as id, m.place, m.item from jsonb_array_elements(item.media) with ordinality m (item, place)
      ), stored as (
        insert into media_attachments as a (id, account_id, type, remote_url, preview_remote_url, description, blurhash, meta)
        select
          f.id, item.author, f.item ->> 'type', f.item ->> 'remote_url', f.item ->> 'preview_remote_url',
          f.item ->> 'description', f.item ->> 'blurhash', f.item -> 'meta'
        from file f
        returning a.id
      )
      select array_agg(f.id order by f.place) into added from file f join stored on stored.id = f.id;
      attachments := attachments || jsonb_build_object(item.place::text, added::text[]);
      files := files || added;
    end loop;
  end if;

  with g as materialized (
    select
      r.*, ids[r.place] as id, p.id as answered, p.account_id as answered_account,
      p.in_reply_to_account_id as answered_before, p.conversation_id as thread,
      case when p.conversation_id is null and r.conversation is null then snowflake() end as new_thread
    from
      rows from (
        jsonb_to_recordset(given) as (
          author bigint, uri text, page text, content text, spoiler_text text, visibility visibility, sensitive boolean,
          language text, published timestamptz, edited timestamptz, parent bigint, parent_unknown boolean, quote_policy text,
          conversation text
        )
      ) with ordinality r (
        author, uri, page, content, spoiler_text, visibility, sensitive,
        language, published, edited, parent, parent_unknown, quote_policy, conversation, place
      )
    left join statuses p on p.id = r.parent and p.deleted_at is null
    where not exists (select from statuses s where s.uri = r.uri)
      and not exists (select from tombstones t where t.uri = r.uri and (t.kept or t.created_at > now() - interval '6 hours'))
      and not exists (
        select from author_tombstones t
        where t.uri = r.uri and t.author_id = r.author and t.created_at > now() - interval '6 hours'
      )
  ), named as (
    insert into conversations as c (uri)
    select distinct g.conversation from g where g.thread is null and g.conversation is not null order by g.conversation
    on conflict (uri) where uri is not null do update set uri = excluded.uri
    returning c.id, c.uri
  ), threads as (
    insert into conversations (id) select g.new_thread from g where g.new_thread is not null
  ), stored as (
    insert into statuses as s (
      id, account_id, local, uri, url, content, spoiler_text, visibility, sensitive, language, in_reply_to_id,
      in_reply_to_account_id, parent_unknown, conversation_id, media_attachment_ids, quote_approval_policy, created_at,
      edited_at
    )
    select
      g.id, g.author, false, g.uri, g.page, g.content, g.spoiler_text, g.visibility, g.sensitive, g.language, g.answered,
      case when g.answered_account = g.author then coalesce(g.answered_before, g.author) else g.answered_account end,
      g.answered is null and (coalesce(g.parent_unknown, false) or g.parent is not null),
      coalesce(g.thread, g.new_thread, named.id),
      array(select jsonb_array_elements_text(attachments -> g.place::text))::bigint[], g.quote_policy,
      least(g.published, now()), case when g.edited is not null then least(g.edited, now()) end
    from g
    left join named on g.thread is null and named.uri = g.conversation
    order by g.place
    on conflict do nothing
    returning s.id, s as row
  )
  select array_agg(stored.row order by stored.id), array_agg(array_position(ids, stored.id) order by stored.id) into made, places
  from stored;

  if files <> '{}' then
    update media_attachments m set status_id = s.id from unnest(made) s where m.id = any (s.media_attachment_ids);
    delete from media_attachments m where m.id = any (files) and m.status_id is null;
  end if;
  if made is null then
    setting := set_config('millrace.defer_notify', '', true);
    setting := set_config('millrace.counted', '', true);
    return;
  end if;

  if jsonb_path_exists(given, '$[*].tags[*]') then
    insert into tags as t (name, display_name)
    select distinct on (n.name) n.name, n.display_name
    from unnest(places) p (place)
    cross join lateral jsonb_to_record(given -> (p.place - 1)) r (tags text[], display_tags text[])
    cross join lateral unnest(r.tags, r.display_tags) n (name, display_name)
    order by n.name, p.place
    on conflict (name) do nothing;
    insert into status_tags (tag_id, status_id)
    select t.id, ids[p.place]
    from unnest(places) p (place)
    cross join lateral jsonb_to_record(given -> (p.place - 1)) r (tags text[])
    join tags t on t.name = any (r.tags);
    update tags t set last_status_at = now()
    where t.id in (
      select old.id
      from tags old
      where old.id in (select x.tag_id from status_tags x where x.status_id = any (ids))
        and (old.last_status_at is null or old.last_status_at < now() - interval '1 hour')
      for update skip locked
    );
  end if;
  if jsonb_path_exists(given, '$[*].mentioned[*]') or jsonb_path_exists(given, '$[*].silent[*]') then
    insert into mentions (status_id, account_id, silent)
    select ids[p.place], n.account_id, n.silent
    from unnest(places) p (place)
    cross join lateral jsonb_to_record(given -> (p.place - 1)) r (mentioned bigint[], silent bigint[])
    cross join lateral (
      select m.account_id, false as silent, m.place from unnest(r.mentioned) with ordinality m (account_id, place)
      union all
      select m.account_id, true, 1000 + m.place from unnest(r.silent) with ordinality m (account_id, place)
    ) n
    order by p.place, n.place
    on conflict do nothing;
  end if;
  if jsonb_path_exists(given, '$[*].poll.options') then
    for item in
      select p.place, r.poll
      from unnest(places) p (place)
      cross join lateral jsonb_to_record(given -> (p.place - 1)) r (poll jsonb)
      where jsonb_typeof(r.poll) = 'object'
    loop
      insert into polls as k (status_id, options, tallies, voters_count, multiple, hide_totals, expires_at, ended_at)
      select
        ids[item.place], array(select jsonb_array_elements_text(item.poll -> 'options')),
        array(select jsonb_array_elements_text(item.poll -> 'tallies'))::integer[], (item.poll ->> 'voters')::integer,
        (item.poll ->> 'multiple')::boolean, false, (item.poll ->> 'expires_at')::timestamptz,
        (item.poll ->> 'ended_at')::timestamptz
      returning k.id into poll;
      polls_made[item.place] := poll;
    end loop;
  end if;

  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select k.counter, snowflake_day(s.id), a.domain, k.detail, pg_backend_pid(), count(*)
  from unnest(made) s
  join accounts a on a.id = s.account_id
  cross join lateral (
    values ('statuses'::day_counter, ''), ('languages'::day_counter, coalesce(s.language, ''))
  ) k (counter, detail)
  group by 1, 2, 3, 4
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  with counted as (
    insert into account_stats as c (account_id, statuses_count, last_status_at)
    select s.account_id, count(*), max(s.created_at) from unnest(made) s where s.visibility <> 'direct'
    group by s.account_id order by s.account_id
    on conflict (account_id) do update
      set statuses_count = c.statuses_count + excluded.statuses_count,
        last_status_at = greatest(excluded.last_status_at, c.last_status_at + interval '1 microsecond')
    returning c.account_id, greatest(least(c.statuses_count + c.statuses_elsewhere, 2147483647), 0) as statuses_count, c.last_status_at
  ), created as (
    insert into events as e (kind, actor_id, status_id, data)
    select
      'status.created', s.account_id, s.id,
      status_facts(s.row, r.mentioned, r.silent, r.tags) || jsonb_build_object(
        'author_counts',
        case when c.account_id is not null and s.visibility <> 'direct' then
          jsonb_build_object('statuses', c.statuses_count, 'last_status_us', (extract(epoch from c.last_status_at) * 1000000)::bigint)
        end
      )
    from (select m.id, m.account_id, m.visibility, m::statuses as row from unnest(made) m) s
    cross join lateral jsonb_to_record(given -> (array_position(ids, s.id) - 1)) r (
      mentioned bigint[], silent bigint[], tags text[]
    )
    left join counted c on c.account_id = s.account_id
    order by s.id
    returning event_json(e) as event
  )
  select jsonb_agg(created.event) into logged from created;

  if jsonb_path_exists(given, '$[*] ? (@.likes > 0 || @.shares > 0)') then
    insert into status_stats (status_id, favourites_elsewhere, reblogs_elsewhere)
    select ids[p.place], coalesce(r.likes, 0), coalesce(r.shares, 0)
    from unnest(places) p (place)
    cross join lateral jsonb_to_record(given -> (p.place - 1)) r (likes integer, shares integer)
    where r.likes > 0 or r.shares > 0;
  end if;
  if exists (select from unnest(made) s where s.in_reply_to_id is not null) then
    with answer as materialized (
      select s.account_id, s.in_reply_to_id from unnest(made) s
      where s.in_reply_to_id is not null and s.visibility in ('public', 'unlisted')
    ), counted as (
      insert into status_stats as c (status_id, replies_count)
      select a.in_reply_to_id, count(*) from answer a group by a.in_reply_to_id order by a.in_reply_to_id
      on conflict (status_id) do update set replies_count = c.replies_count + excluded.replies_count
    ), noted as (
      insert into events as e (kind, actor_id, status_id, data)
      select 'status.counted', a.account_id, a.in_reply_to_id, '{}' from answer a
      returning event_json(e) as event
    )
    select logged || coalesce(jsonb_agg(noted.event), '[]') into logged from noted;
  end if;
  logged := logged || notify_of_received(given, ids, made);

  -- For other rows of the transaction the triggers notify and count.
  setting := set_config('millrace.defer_notify', '', true);
  setting := set_config('millrace.counted', '', true);
  return query
    select p.place, ids[p.place], polls_made[p.place], case when p.turn = 1 then logged end
    from unnest(places) with ordinality p (place, turn);
end
$$;
