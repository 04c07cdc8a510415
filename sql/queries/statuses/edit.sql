-- edit: changes the text, attachments, mentions and tags of a status. Has no effect when nothing
-- differs.
-- The first edit also stores the original version. Accounts that are no longer mentioned may still
-- see the status. Attachments that are no longer shown stay with the status, for its history.
-- Notifies accounts that boosted it (more than a hundred by a job), accounts that quote it (always
-- by a job), and newly mentioned ones. A change of the quote policy alone notifies nobody.
-- The link preview is removed with the text that contained the link; a job creates the next one.
-- A poll loses its votes when its options change, or whether several may be chosen; values that the
-- edit does not contain stay. The poll is locked before (statuses/polls/lock_of_status), so that no
-- vote is stored meanwhile. Notifications of an earlier end go first, while the votes are there.
-- Simultaneous edits are serialised (lock): the second compares with the result of the first. The
-- attachments are locked before as well (lock_media).
-- $1 author bigint
-- $2 status bigint
-- $3 text text
-- $4 content text
-- $5 spoiler_text text
-- $6 sensitive boolean
-- $7 language text
-- $8 quote_policy text
-- $9 mentioned bigint[]
-- $10 tags bigint[]
-- $11 tag_names text[]
-- $12 media bigint[]
-- $13 media_changes jsonb
-- $14 poll jsonb
-- $15 has_link boolean
-- $16 collections bigint[]
-- rows: none when the author has no such status, else one; poll_id: the poll whose end was set;
--   old_previews: preview files that are no longer shown; lacks_media: an attachment was taken
--   meanwhile, so that the caller rolls back
-- plan: no sequential scan
with old as materialized (
  select
    s.id, s.text, s.content, s.spoiler_text, s.sensitive, s.language, s.quote_approval_policy, s.media_attachment_ids, s.visibility,
    s.conversation_id, s.created_at, s.edited_at
  from statuses s
  where s.id = $2 and s.account_id = $1 and s.deleted_at is null and s.reblog_of_id is null
  for update
), old_poll as materialized (
  select p.id, p.options, p.multiple, p.hide_totals, p.expires_in_s, p.ended_at from old join polls p on p.status_id = old.id
), new_poll as materialized (
  select
    array(select o.title from jsonb_array_elements_text($14::jsonb -> 'options') with ordinality o (title, place) order by o.place) as options,
    coalesce(($14::jsonb ->> 'multiple')::boolean, (select old_poll.multiple from old_poll), false) as multiple,
    ($14::jsonb ->> 'hide_totals')::boolean as hide_totals,
    ($14::jsonb ->> 'expires_in')::integer as expires_in_s,
    ($14::jsonb ->> 'expires_at')::timestamptz as expires_at
  where $14::jsonb is not null
), described as materialized (
  select
    m.id,
    m.description as was,
    m.meta as was_meta,
    m.preview_key as was_preview,
    coalesce(change.item #>> '{preview,key}', m.preview_key) as preview_key,
    coalesce((change.item #>> '{preview,sizeBytes}')::bigint, m.preview_bytes) as preview_bytes,
    coalesce(change.item #>> '{preview,blurhash}', m.blurhash) as blurhash,
    case when change.item ? 'description' then change.item ->> 'description' else m.description end as description,
    case
      when change.item ? 'focus' then m.meta - 'focus' || jsonb_strip_nulls(jsonb_build_object('focus', change.item -> 'focus'))
      else m.meta
    end
      || coalesce(change.item #> '{preview,meta}', '{}') as meta
  from media_attachments m
  left join jsonb_array_elements($13::jsonb) change (item) on (change.item ->> 'id')::bigint = m.id
  where m.account_id = $1 and m.id in (select unnest((select $12::bigint[])) union select unnest(old.media_attachment_ids) from old)
), judged as materialized (
  select
    old.*,
    old.quote_approval_policy <> coalesce($8::text, old.quote_approval_policy) as is_repoliced,
    (old.text, old.spoiler_text, old.sensitive, old.media_attachment_ids)
        is distinct from ($3::text, $5::text, $6::boolean, $12::bigint[])
      or old.language is distinct from coalesce($7::text, old.language)
      or exists (
        select
        from old_poll
        full join new_poll on true
        where (old_poll.options, old_poll.multiple, old_poll.hide_totals, old_poll.expires_in_s)
          is distinct from (new_poll.options, new_poll.multiple, new_poll.hide_totals, new_poll.expires_in_s)
      )
      or exists (
        select from described
        where (described.description, described.meta, described.preview_key)
          is distinct from (described.was, described.was_meta, described.was_preview)
      ) as is_rewritten
  from old
), changed as materialized (
  select judged.* from judged where judged.is_repoliced or judged.is_rewritten
), original as (
  insert into status_edits (status_id, account_id, text, content, spoiler_text, sensitive, details, created_at)
  select
    changed.id, $1, changed.text, changed.content, changed.spoiler_text, changed.sensitive,
    jsonb_build_object('media', array(
      select jsonb_build_object('id', described.id::text, 'description', described.was)
      from unnest(changed.media_attachment_ids) with ordinality i (id, place)
      join described on described.id = i.id
      order by i.place
    )) || coalesce((select jsonb_build_object('poll', old_poll.options) from old_poll), '{}'),
    changed.created_at
  from changed
  where changed.edited_at is null
), version as (
  insert into status_edits (status_id, account_id, text, content, spoiler_text, sensitive, details)
  select
    changed.id, $1, $3, $4, $5, $6,
    jsonb_build_object('media', array(
      select jsonb_build_object('id', described.id::text, 'description', described.description)
      from unnest((select $12::bigint[])) with ordinality i (id, place)
      join described on described.id = i.id
      order by i.place
    )) || coalesce((select jsonb_build_object('poll', new_poll.options) from new_poll), '{}')
  from changed
), withdrawn as materialized (
  select withdraw_poll_notifications(old_poll.id, $1) as events
  from changed cross join old_poll
  where old_poll.ended_at is not null
), replaced_votes as materialized (
  select old_poll.id, (old_poll.options, old_poll.multiple) is distinct from (new_poll.options, new_poll.multiple) as empties
  from (select count(*) from withdrawn) all_withdrawn cross join changed cross join old_poll cross join new_poll
), replaced_poll as (
  update polls p set
    options = new_poll.options, multiple = new_poll.multiple, hide_totals = new_poll.hide_totals,
    expires_in_s = new_poll.expires_in_s, expires_at = new_poll.expires_at, ended_at = null,
    tallies = case when replaced_votes.empties then array_fill(0, array[cardinality(new_poll.options)]) else p.tallies end,
    voters_count = case when replaced_votes.empties then 0 else p.voters_count end
  from replaced_votes, new_poll
  where p.id = replaced_votes.id
  returning p.id
), cleared as (
  delete from poll_votes v using replaced_votes where v.poll_id = replaced_votes.id and replaced_votes.empties
), polled as (
  insert into polls (status_id, options, tallies, multiple, hide_totals, expires_in_s, expires_at)
  select
    changed.id, new_poll.options, array_fill(0, array[cardinality(new_poll.options)]), new_poll.multiple, new_poll.hide_totals,
    new_poll.expires_in_s, new_poll.expires_at
  from changed cross join new_poll
  where not exists (select from old_poll)
  returning polls.id
), unpolled as (
  delete from polls p using changed
  where p.status_id = changed.id and $14::jsonb is null and (select count(*) from withdrawn) >= 0
), attached as (
  update media_attachments m set
    status_id = changed.id, description = described.description, meta = described.meta,
    preview_key = described.preview_key, preview_bytes = described.preview_bytes, blurhash = described.blurhash
  from changed, described
  where m.id = described.id and m.id = any ((select $12::bigint[])::bigint[])
    and ((m.status_id is null and m.scheduled_status_id is null) or m.status_id = changed.id)
  returning m.id
), edited as (
  update statuses s set
    text = $3, content = $4, spoiler_text = $5, sensitive = $6, language = coalesce($7, changed.language),
    quote_approval_policy = coalesce($8, changed.quote_approval_policy), media_attachment_ids = $12::bigint[], edited_at = now()
  from changed
  where s.id = changed.id
  returning s.id, s.visibility, s.conversation_id, s as row
), silenced as (
  update mentions m set silent = true
  from changed
  where m.status_id = changed.id and not m.silent and m.account_id <> all ($9::bigint[])
), renamed as (
  update mentions m set silent = false
  from changed
  where m.status_id = changed.id and m.silent and m.account_id = any ((select $9::bigint[])::bigint[])
  returning m.id, m.account_id
), added as (
  insert into mentions (status_id, account_id)
  select changed.id, given.account_id
  from changed cross join unnest((select $9::bigint[])) with ordinality given (account_id, place)
  order by given.place
  on conflict (status_id, account_id) do nothing
  returning mentions.id, mentions.account_id
), unlinked as (
  delete from status_collections x using changed where x.status_id = changed.id and x.collection_id <> all ($16::bigint[])
), linked as (
  insert into status_collections (status_id, collection_id)
  select changed.id, c.id from changed cross join visible_collections($1) c where c.id = any ((select $16::bigint[])::bigint[])
  on conflict do nothing
), untagged as (
  delete from status_tags x using changed where x.status_id = changed.id and x.tag_id <> all ($10::bigint[])
  returning x.tag_id
), tagged as (
  insert into status_tags (tag_id, status_id)
  select given.tag_id, changed.id from changed cross join unnest((select $10::bigint[])) given (tag_id)
  on conflict do nothing
), unpreviewed as (
  delete from preview_cards_statuses p
  using changed
  where p.status_id = changed.id and (changed.text <> $3 or $12::bigint[] <> '{}')
), previewed as materialized (
  select enqueue_preview(changed.id)
  from changed
  where (changed.text, changed.media_attachment_ids) is distinct from ($3, $12::bigint[])
    and ($15::boolean or changed.text like '%://%')
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select
    'status.updated', $1, edited.id,
    status_facts(
      edited.row, $9::bigint[], array(select m.account_id from mentions m where m.status_id = edited.id and m.account_id <> all ($9::bigint[])), $11::text[]
    ) || jsonb_build_object('removed_tags', array(select t.name from untagged join tags t on t.id = untagged.tag_id))
  from edited
  returning event_json(events) as event
), boosters as materialized (
  select b.account_id
  from edited
  join changed on changed.is_rewritten
  join statuses b on b.reblog_of_id = edited.id and b.deleted_at is null and b.local
  limit 101
), hearers as materialized (
  select named.account_id, 'mention' as type, named.id as activity_id
  from (select * from added union all select * from renamed) named
  union all
  select boosters.account_id, 'update', $2::bigint from boosters where (select count(*) from boosters) <= 100
), queued as materialized (
  select enqueue('statuses.notify', json_build_object('status_id', edited.id::text, 'type', 'update'))
  from edited
  where (select count(*) from boosters) > 100
), queued_for_quoters as materialized (
  select enqueue('statuses.notify', json_build_object('status_id', edited.id::text, 'type', 'quoted_update'))
  from edited
  join changed on changed.is_rewritten
  where exists (select from quotes q where q.quoted_status_id = edited.id and q.state = 'accepted')
), notified as materialized (
  select hearers.type, hearers.account_id, notify(hearers.account_id, $1, hearers.type, edited.id, hearers.activity_id) as event
  from edited cross join (select count(*) from added) all_added cross join (select count(*) from renamed) all_renamed cross join hearers
), inserted as materialized (
  select enter_conversation(notified.account_id, edited.conversation_id, edited.id, $9::bigint[] || $1, true) as event
  from edited
  -- In the order of their ids, as post_status locks the entries.
  cross join (select n.account_id, n.type, n.event from notified n order by n.account_id) notified
  where edited.visibility = 'direct' and notified.type = 'mention' and notified.event is not null
    and not (notified.event -> 'data' ->> 'filtered')::boolean
)
select
  old.id,
  ((select count(*) from queued) + (select count(*) from queued_for_quoters) + (select count(*) from previewed))::integer
    as queued,
  coalesce((select replaced_poll.id from replaced_poll), (select polled.id from polled)) as poll_id,
  array(select described.was_preview from described where described.was_preview <> described.preview_key) as old_previews,
  exists (select from changed) and (select count(*) from attached) < cardinality($12::bigint[]) as lacks_media,
  (
    select jsonb_agg(every.event)
    from (
      select logged.event from logged
      union all
      select e.event from withdrawn cross join jsonb_array_elements(withdrawn.events) e (event)
      union all
      select notified.event from notified where notified.event is not null
      union all
      select inserted.event from inserted
    ) every
  ) as events
from old
