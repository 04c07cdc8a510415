-- The only place that stores notifications, unless they exist or are not wanted; logs
-- notification.created for each. Returns the events, in the order of the recipients.
-- Several at once, because setting up its statements is half of the work of one.
-- Most meet nothing that can decide against them: no block, mute or policy of the recipient, no
-- limit of the originator. One query finds these; notification_verdict decides about the others,
-- with ten statements for each (a fifth of the work of a post with three mentions).
-- recipients, originators, statuses, activities: one of each for a notification; the activity is
-- the id of the favourite, follow, boost … that caused it: each cause has one notification.
create or replace function notify_all(
  recipients bigint[], originators bigint[], type text, statuses bigint[], activities bigint[]
) returns jsonb
language plpgsql as $$
#variable_conflict use_variable
declare
  logged jsonb;
  some_filtered boolean;
begin
  if type in ('update', 'quoted_update', 'collection_update') then
    delete from notifications n
    where n.id = any (array(
      select earlier.id
      from
        unnest((select recipients), (select originators), (select statuses), (select activities))
        g (account_id, from_account_id, status_id, activity_id)
      cross join lateral (
        select o.id
        from notifications o
        where o.account_id = g.account_id and o.type = notify_all.type and o.from_account_id = g.from_account_id
          and o.activity_id = g.activity_id and o.status_id is not distinct from g.status_id
        offset 0
      ) earlier
      where notification_verdict(g.account_id, g.from_account_id, type, g.status_id) <> 'drop'
    ));
  end if;
  -- The arrays are in sub-selects, whose length PostgreSQL does not look at: it keeps one plan for
  -- any length, instead of planning each call.
  with given as materialized (
    select
      g.*,
      case
        when g.account_id <> g.from_account_id
          and exists (
            select from accounts a
            where a.id = g.account_id and a.domain is null and a.suspended_at is null and a.deletion_requested_at is null
          )
          and exists (
            select from accounts a
            where a.id = g.from_account_id and a.silenced_at is null
              and not exists (select from account_domain_blocks d where d.account_id = g.account_id and d.domain = a.domain)
          )
          and not exists (select from notification_policies p where p.account_id = g.account_id)
          and not exists (select from blocks b where b.account_id = g.account_id and b.target_account_id = any (parties.ids))
          and not exists (select from mutes m where m.account_id = g.account_id and m.target_account_id = any (parties.ids))
          and not exists (
            select from statuses s
            where s.id = g.status_id and (
              s.visibility = 'direct'
              or exists (
                select from conversation_mutes c
                where c.account_id = g.account_id and c.conversation_id = s.conversation_id
              )
            )
          )
        then 'accept'
        else notification_verdict(g.account_id, g.from_account_id, type, g.status_id)
      end as verdict
    from
      unnest((select recipients), (select originators), (select statuses), (select activities))
      with ordinality g (account_id, from_account_id, status_id, activity_id, place)
    cross join lateral (
      select
        g.from_account_id
        || array(select s.in_reply_to_account_id from statuses s where s.id = g.status_id)
        || array(select m.account_id from mentions m where m.status_id = g.status_id) as ids
      offset 0
    ) parties
    order by g.place
  ), wanted as materialized (
    select g.*, nextval('notifications_id_seq') as id from given g where g.verdict <> 'drop'
  ), stored as (
    insert into notifications as n (id, account_id, from_account_id, type, status_id, activity_id, group_key, filtered)
    overriding system value
    select
      w.id, w.account_id, w.from_account_id, type, w.status_id, w.activity_id,
      case
        when w.verdict = 'filter' then 'ungrouped-' || w.id
        else notification_group(w.account_id, type, w.status_id, w.id)
      end,
      w.verdict = 'filter'
    from wanted w
    on conflict do nothing
    returning n.id, n.account_id, n.from_account_id, n.status_id, n.group_key, n.filtered
  ), made as (
    insert into events as e (kind, account_id, actor_id, status_id, object_id, data)
    select
      'notification.created', s.account_id, s.from_account_id, s.status_id, s.id,
      jsonb_build_object('type', type, 'filtered', s.filtered, 'group_key', s.group_key)
    from stored s
    order by s.id
    returning e.id, event_json(e) as event, (e.data ->> 'filtered')::boolean as filtered
  )
  select coalesce(jsonb_agg(m.event order by m.id), '[]'), coalesce(bool_or(m.filtered), false)
  into logged, some_filtered
  from made m;
  if some_filtered and type in ('mention', 'quote') then
    insert into notification_requests as r (account_id, from_account_id, last_status_id, notifications_count)
    select e.account_id, e.actor_id, max(e.status_id), count(*)
    from jsonb_to_recordset(logged) e (account_id bigint, actor_id bigint, status_id bigint, data jsonb)
    where (e.data ->> 'filtered')::boolean
    group by e.account_id, e.actor_id
    order by e.account_id, e.actor_id
    on conflict (account_id, from_account_id) do update
    -- This transaction may have begun before the one that opened the request, and a request counts
    -- no notifications older than itself.
    set last_status_id = excluded.last_status_id, updated_at = now(), created_at = least(r.created_at, excluded.created_at),
      notifications_count = r.notifications_count + excluded.notifications_count;
  end if;
  return logged;
end
$$;
