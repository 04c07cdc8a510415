-- What the writes of statuses share: the facts that their events carry, and entries of direct conversations.
-- Locks: none on existing tables; functions are added.

-- The data of status.created, status.updated and status.deleted (src/statuses/facts.ts). Who is mentioned is given, because a statement
-- that makes a status cannot see the rows that it makes.
create function status_facts(status statuses, mentioned bigint[], silently bigint[], tag_names text[]) returns jsonb
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
  )
  from accounts a
  where a.id = status.account_id
$$;

-- The facts of a status that is stored with its mentions and tags.
create function status_facts(status statuses) returns jsonb
language sql stable as $$
  select status_facts(
    status,
    array(select m.account_id from mentions m where m.status_id = status.id and not m.silent order by m.id),
    array(select m.account_id from mentions m where m.status_id = status.id and m.silent order by m.id),
    array(select t.name from status_tags x join tags t on t.id = x.tag_id where x.status_id = status.id order by t.id)
  )
$$;

-- Adds a direct status to the conversation as one participant has it (entity Conversation), which is made when there is none with the
-- same others, and logs conversation.changed. Gives the event.
-- others: the other participants, in any order.
create function enter_conversation(owner bigint, conversation bigint, status bigint, others bigint[], is_unread boolean) returns jsonb
language sql volatile as $$
  with entered as (
    insert into account_conversations as c
      (account_id, conversation_id, participant_account_ids, status_ids, last_status_id, unread)
    values (
      owner, conversation, array(select distinct o from unnest(others) o where o <> owner order by o), array[status], status,
      is_unread
    )
    on conflict (account_id, conversation_id, participant_account_ids) do update set
      status_ids = array(select distinct i from unnest(c.status_ids || status) i order by i),
      last_status_id = greatest(c.last_status_id, status),
      unread = is_unread
    returning c.id
  ), told as (
    insert into events (kind, account_id, status_id, object_id)
    select 'conversation.changed', owner, status, entered.id from entered
    returning event_json(events) as event
  )
  select told.event from told
$$;

-- Whether this person does not want posts of that account in feeds: a block or any mute that holds.
create function shuns(person bigint, other bigint) returns boolean
language sql stable as $$
  select exists (select from blocks b where b.account_id = person and b.target_account_id = other)
    or exists (
      select from mutes m
      where m.account_id = person and m.target_account_id = other and (m.expires_at is null or m.expires_at > now())
    )
$$;

-- Statuses that appear in a list which the viewer (null: anybody) did not ask for by author: visible ones, but for those of accounts that
-- the viewer does not want (as unwanted_by has it; who blocks the viewer is not visible anyway) and of limited accounts that the viewer
-- does not follow. One's own always. Written out, because a function that is called for each row takes 20 to 90 us: of a thread of 1,400
-- statuses this took 130 ms, so it takes 3.
create function shown_statuses(viewer bigint) returns setof statuses
language sql stable rows 1000 as $$
  select s.*
  from visible_statuses(viewer) s
  join accounts a on a.id = s.account_id
  where s.account_id = viewer
    or (
      not exists (select from blocks b where b.account_id = viewer and b.target_account_id = s.account_id)
      and not exists (
        select from mutes m
        where m.account_id = viewer and m.target_account_id = s.account_id and (m.expires_at is null or m.expires_at > now())
      )
      and not exists (select from account_domain_blocks d where d.account_id = viewer and d.domain = a.domain)
      and (
        a.silenced_at is null
        or exists (select from follows f where f.account_id = viewer and f.target_account_id = s.account_id)
      )
    )
$$;

-- The custom emojis of a server whose shortcodes stand between colons in a text: a superset of those that are used, because what else
-- stands around them is looked at by src/text. Null when there is none.
create function emojis_in(source text, server text) returns jsonb
language sql stable as $$
  select jsonb_agg(
    jsonb_build_object('shortcode', e.shortcode, 'image', e.image, 'visible_in_picker', e.visible_in_picker) order by e.id
  )
  from custom_emojis e
  where coalesce(e.domain, '') = coalesce(server, '') and not e.disabled
    and e.shortcode in (select found[1] from regexp_matches(source, ':([a-zA-Z0-9_]{2,})(?=:)', 'g') found)
$$;

-- Attachments in this order, as src/statuses/attachment.ts takes them. Null when there is none.
create function attachments_of(ids bigint[]) returns jsonb
language sql stable as $$
  select jsonb_agg(
    jsonb_build_object(
      'id', m.id::text, 'type', m.type, 'processing', m.processing, 'file_key', m.file_key, 'preview_key', m.preview_key,
      'remote_url', m.remote_url, 'meta', m.meta, 'description', m.description, 'blurhash', m.blurhash
    )
    order by array_position(ids, m.id)
  )
  from media_attachments m
  where m.id = any (ids)
$$;

-- Whether somebody who follows with notifications hears of a post: as far as the home feed would take it, whatever lists say.
create function hears_of(follow follows, language text, visibility visibility, mentioned bigint[]) returns boolean
language sql stable as $$
  select (follow.languages is null or language is null or language = any (follow.languages))
    and (visibility <> 'direct' or follow.account_id = any (mentioned))
    and not avoids(follow.account_id, follow.target_account_id)
    and not exists (select from unnest(mentioned) other where other <> follow.account_id and avoids(follow.account_id, other))
$$;
