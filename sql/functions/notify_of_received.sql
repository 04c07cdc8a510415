-- Notifies accounts of statuses that receive_statuses has stored, enters direct ones into
-- conversations, and enqueues what else they cause. Returns the events.
-- given, ids, made: the parameter of receive_statuses, the ids by place, and the stored statuses.
create or replace function notify_of_received(given jsonb, ids bigint[], made statuses[]) returns jsonb
language plpgsql as $$
#variable_conflict use_column
declare
  logged jsonb := '[]';
  notification jsonb;
  item record;
  mention record;
  partners bigint[];
  recipients bigint[];
begin
  for item in
    select
      s.id, s.account_id, s.visibility, s.language, s.conversation_id, r.mentioned, r.notified, r.has_link, r.missing_parent,
      r.depth,
      r.notified and (s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id) and exists (
        select from follows f where f.target_account_id = s.account_id and f.notify
      ) as awaited
    from unnest(made) s
    cross join lateral jsonb_to_record(given -> (array_position(ids, s.id) - 1)) r (
      mentioned bigint[], notified boolean, has_link boolean, missing_parent text, depth integer
    )
    order by s.id
  loop
    if item.mentioned <> '{}' then
      partners := '{}';
      for mention in
        select m.id, m.account_id from mentions m join accounts a on a.id = m.account_id
        where m.status_id = item.id and a.domain is null and not m.silent order by m.id
      loop
        notification := case
          when item.notified then notify(mention.account_id, item.account_id, 'mention', item.id, mention.id)
        end;
        if notification is not null then
          logged := logged || notification;
        end if;
        if not item.notified or not coalesce((notification -> 'data' ->> 'filtered')::boolean, true) then
          partners := partners || mention.account_id;
        end if;
      end loop;
      if item.visibility = 'direct' and partners <> '{}' then
        select logged || coalesce(jsonb_agg(e.result), '[]') into logged
        from unnest(partners) partner (account_id)
        cross join lateral (
          select enter_conversation(partner.account_id, item.conversation_id, item.id, item.mentioned || item.account_id, item.notified)
            as result
        ) e;
      end if;
    end if;
    if item.awaited then
      recipients := array(select f.account_id from follows f where f.target_account_id = item.account_id and f.notify limit 101);
      if cardinality(recipients) > 100 then
        perform enqueue('statuses.notify', json_build_object('status_id', item.id::text, 'type', 'status'));
      else
        select logged || coalesce(jsonb_agg(n.result) filter (where n.result is not null), '[]') into logged
        from follows f
        cross join lateral (select notify(f.account_id, item.account_id, 'status', item.id, item.id) as result) n
        where f.target_account_id = item.account_id and f.notify
          and wants_post_notification(f, item.language, item.visibility, item.mentioned);
      end if;
    end if;
    if item.has_link then
      perform enqueue_preview(item.id);
    end if;
    if item.missing_parent is not null then
      perform enqueue(
        'federation.fetch_parent', json_build_object('status_id', item.id::text, 'uri', item.missing_parent, 'depth', item.depth),
        attempts => 4, priority => 10
      );
    end if;
  end loop;
  return logged;
end
$$;
