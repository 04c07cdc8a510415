-- The only place that stores a notification, unless it exists or is not wanted; logs
-- notification.created. Returns the event, or null when there is none.
-- activity: the id of the favourite, follow, boost … that caused it: each cause has one
-- notification.
-- group_key: null for the default of the type (notification_group).
create or replace function notify(
  recipient bigint, originator bigint, type text, status bigint, activity bigint, group_key text default null
) returns jsonb
language plpgsql as $$
#variable_conflict use_variable
declare
  verdict text := 'accept';
  new_id bigint;
  key text;
  event jsonb;
begin
  if not exists (
    select from accounts a
    where a.id = recipient and a.domain is null and a.suspended_at is null and a.deletion_requested_at is null
  ) or (
    recipient = originator
    and type not in ('poll', 'severed_relationships', 'moderation_warning', 'annual_report')
  ) then
    return null;
  end if;
  if recipient <> originator and not (type = 'mention' and ranks_as_staff(originator, recipient)) then
    if blocks_notification(recipient, originator, type, status) then
      return null;
    end if;
    verdict := notification_policy_decision(recipient, originator, type, status);
    if verdict = 'drop' then
      return null;
    end if;
  end if;
  if type in ('update', 'quoted_update', 'collection_update') then
    delete from notifications n
    where n.account_id = recipient and n.type = notify.type and n.from_account_id = originator
      and n.status_id is not distinct from status and n.activity_id is not distinct from activity;
  end if;
  new_id := nextval(pg_get_serial_sequence('notifications', 'id'));
  key := case
    when verdict = 'filter' then 'ungrouped-' || new_id
    else coalesce(group_key, notification_group(recipient, type, status, new_id))
  end;
  insert into notifications (id, account_id, from_account_id, type, status_id, activity_id, group_key, filtered)
  overriding system value
  values (new_id, recipient, originator, type, status, activity, key, verdict = 'filter')
  on conflict do nothing;
  if not found then
    return null;
  end if;
  if verdict = 'filter' and type in ('mention', 'quote') then
    insert into notification_requests as r (account_id, from_account_id, last_status_id, notifications_count)
    values (recipient, originator, status, 1)
    on conflict (account_id, from_account_id) do update
    set last_status_id = excluded.last_status_id, notifications_count = r.notifications_count + 1, updated_at = now();
  end if;
  insert into events (kind, account_id, actor_id, status_id, object_id, data)
  values (
    'notification.created', recipient, originator, status, new_id,
    jsonb_build_object('type', type, 'filtered', verdict = 'filter', 'group_key', key)
  )
  returning event_json(events) into event;
  return event;
end
$$;
