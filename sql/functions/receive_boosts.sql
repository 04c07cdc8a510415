-- Stores boosts by remote accounts, of public or unlisted statuses or of their own, with their
-- effects. Stores several at once, as receive_statuses. Skips boosts that exist or were undone.
-- Deletions of the boosted statuses are waited for, and wait for the boosts. The rest of the
-- transaction sends nothing to other servers. The caller notifies the readers of the event log.
-- Rows of authors are locked before those of statuses, each in the order of their ids.
-- given: objects with actor, status, uri, visibility, published and notified.
-- Returns a row for each stored boost, with its place (from 1); the first has the events of all.
create or replace function receive_boosts(given jsonb) returns table (place integer, id bigint, events jsonb)
language plpgsql as $$
#variable_conflict use_column
declare
  made statuses[];
  logged jsonb;
  more jsonb;
  setting text;
begin
  setting := set_config('millrace.receiving', 'on', true);
  setting := set_config('millrace.defer_notify', 'on', true);
  setting := set_config('millrace.counted', 'on', true);
  perform
  from statuses o
  where o.id = any (array(select r.status from jsonb_to_recordset(given) r (status bigint)))
  order by o.id
  for share;
  with g as materialized (
    select r.*, o.id as original, o.visibility as original_visibility
    from jsonb_to_recordset(given) r (actor bigint, status bigint, uri text, visibility visibility, published timestamptz)
    cross join lateral (
      select v.id, v.visibility from visible_statuses(r.actor) v
      where v.id = r.status and v.reblog_of_id is null
        and (v.visibility in ('public', 'unlisted') or (v.visibility = 'private' and v.account_id = r.actor))
    ) o
    where not exists (select from tombstones t where t.uri = r.uri and t.created_at > now() - interval '6 hours')
      and not exists (
        select from author_tombstones t
        where t.uri = r.uri and t.author_id = r.actor and t.created_at > now() - interval '6 hours'
      )
  ), boosted as (
    insert into statuses as s (id, account_id, local, uri, visibility, reblog_of_id, created_at)
    select
      snowflake_at(least(g.published, now())), g.actor, false, g.uri,
      case when g.original_visibility = 'private' then g.original_visibility else g.visibility end, g.original,
      least(g.published, now())
    from g
    on conflict do nothing
    returning s.id, s as row
  )
  select array_agg(boosted.row order by boosted.id) into made from boosted;
  if made is null then
    setting := set_config('millrace.defer_notify', '', true);
    setting := set_config('millrace.counted', '', true);
    return;
  end if;

  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select 'statuses', snowflake_day(s.id), a.domain, '', pg_backend_pid(), count(*)
  from unnest(made) s
  join accounts a on a.id = s.account_id
  group by 2, 3
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  insert into account_stats as c (account_id, statuses_count, last_status_at)
  select s.account_id, count(*), max(s.created_at) from unnest(made) s group by s.account_id order by s.account_id
  on conflict (account_id) do update
    set statuses_count = c.statuses_count + excluded.statuses_count,
      last_status_at = greatest(c.last_status_at, excluded.last_status_at);
  insert into status_stats as c (status_id, reblogs_count)
  select s.reblog_of_id, count(*) from unnest(made) s group by s.reblog_of_id order by s.reblog_of_id
  on conflict (status_id) do update set reblogs_count = c.reblogs_count + excluded.reblogs_count;
  with boost as materialized (
    select m.id, m.account_id, m.reblog_of_id, m::statuses as row from unnest(made) m
  ), noted as (
    insert into events as e (kind, actor_id, status_id, data)
    select 'status.created', b.account_id, b.id, status_facts(b.row, '{}', '{}', '{}') from boost b
    union all
    select 'status.counted', b.account_id, b.reblog_of_id, '{}' from boost b
    returning event_json(e) as event
  )
  select jsonb_agg(noted.event) into logged from noted;
  select
    notify_all(
      array_agg(o.account_id order by s.id), array_agg(s.account_id order by s.id), 'reblog', array_agg(o.id order by s.id),
      array_agg(s.id order by s.id)
    )
  into more
  from unnest(made) s
  join jsonb_to_recordset(given) r (uri text, notified boolean) on r.uri = s.uri and r.notified
  join statuses o on o.id = s.reblog_of_id
  join accounts b on b.id = s.account_id
  -- A group boosts all posts of its members.
  where b.actor_type <> 'Group'
    or not exists (select from follows f where f.account_id = o.account_id and f.target_account_id = b.id);

  -- For other rows of the transaction the triggers notify and count.
  setting := set_config('millrace.defer_notify', '', true);
  setting := set_config('millrace.counted', '', true);
  return query
    select g.place::integer, s.id, case when s.turn = 1 then logged || coalesce(more, '[]') end
    from (select m.id, m.uri, row_number() over (order by m.id) as turn from unnest(made) m) s
    join rows from (jsonb_to_recordset(given) as (uri text)) with ordinality g (uri, place) on g.uri = s.uri;
end
$$;
