-- Notifies accounts of statuses that receive_statuses has stored, enters direct ones into
-- conversations, and enqueues what else they cause. Returns the events.
-- given, ids, made: the parameter of receive_statuses, the ids by place, and the stored statuses.
create or replace function notify_of_received(given jsonb, ids bigint[], made statuses[]) returns jsonb
language plpgsql as $$
#variable_conflict use_column
declare
  logged jsonb := '[]';
  item record;
  named bigint[];
  authors bigint[];
  mentioning bigint[];
  causes bigint[];
  partners bigint[];
  recipients bigint[];
begin
  select
    array_agg(m.account_id order by m.status_id, m.id), array_agg(s.account_id order by m.status_id, m.id),
    array_agg(m.status_id order by m.status_id, m.id), array_agg(m.id order by m.status_id, m.id)
  into named, authors, mentioning, causes
  from unnest(made) s
  cross join lateral jsonb_to_record(given -> (array_position(ids, s.id) - 1)) r (mentioned bigint[], notified boolean)
  join mentions m on m.status_id = s.id and not m.silent
  join accounts a on a.id = m.account_id and a.domain is null
  where r.notified and r.mentioned <> '{}';
  if named is not null then
    logged := notify_all(named, authors, 'mention', mentioning, causes);
  end if;
  for item in
    select
      s.id, s.account_id, s.visibility, s.language, s.conversation_id, r.mentioned, r.notified, r.has_link, r.link,
      r.missing_parent, r.depth,
      -- A fetched one may be years old.
      r.notified and s.created_at > now() - interval '6 hours' and not s.parent_unknown
      and (s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id) and exists (
        select from follows f where f.target_account_id = s.account_id and f.notify
      ) as awaited
    from unnest(made) s
    cross join lateral jsonb_to_record(given -> (array_position(ids, s.id) - 1)) r (
      mentioned bigint[], notified boolean, has_link boolean, link text, missing_parent text, depth integer
    )
    order by s.id
  loop
    if item.visibility = 'direct' and item.mentioned <> '{}' then
      partners := array(
        select m.account_id
        from mentions m
        join accounts a on a.id = m.account_id
        where m.status_id = item.id and a.domain is null and not m.silent
          -- Late ones notify nobody, but enter the conversations of those who would be notified.
          and case
            when item.notified then exists (
              select
              from jsonb_to_recordset(logged) e (kind text, account_id bigint, status_id bigint, data jsonb)
              where e.kind = 'notification.created' and e.account_id = m.account_id and e.status_id = item.id
                and e.data ->> 'type' = 'mention' and not (e.data ->> 'filtered')::boolean
            )
            else notification_verdict(m.account_id, item.account_id, 'mention', item.id) = 'accept'
          end
        order by m.account_id
      );
      select logged || coalesce(jsonb_agg(e.result), '[]') into logged
      from unnest(partners) partner (account_id)
      cross join lateral (
        select enter_conversation(partner.account_id, item.conversation_id, item.id, item.mentioned || item.account_id, true)
          as result
      ) e;
    end if;
    if item.awaited then
      recipients := array(select f.account_id from follows f where f.target_account_id = item.account_id and f.notify limit 101);
      if cardinality(recipients) > 100 then
        perform enqueue('statuses.notify', json_build_object('status_id', item.id::text, 'type', 'status'));
      else
        recipients := array(
          select f.account_id from follows f
          where f.target_account_id = item.account_id and f.notify
            and wants_post_notification(f, item.language, item.visibility, item.mentioned)
        );
        causes := array_fill(item.id, array[cardinality(recipients)]);
        logged := logged
          || notify_all(recipients, array_fill(item.account_id, array[cardinality(recipients)]), 'status', causes, causes);
      end if;
    end if;
    if item.has_link then
      perform enqueue_preview(item.id, item.link);
    end if;
    if item.missing_parent is not null then
      perform enqueue(
        'federation.fetch_parent', json_build_object('status_id', item.id::text, 'uri', item.missing_parent, 'depth', item.depth),
        attempts => 4, priority => 20, queue_name => fetch_queue(item.missing_parent)
      );
    end if;
  end loop;
  return logged;
end
$$;
