-- The one place that makes a notification: whether it is wanted (api/delivery.md section 4), its row, its event.
-- Locks: none on existing tables; functions are added.

-- Whether the originator is staff whose mentions always arrive: a role shown on the profile, with a permission of moderation
-- (api/roles.md section 1; 1839037 are these bits and administrator), that ranks above the recipient's.
create function ranks_as_staff(originator bigint, recipient bigint) returns boolean
language sql stable as $$
  select exists (
    select
    from users u
    join roles r on r.id = u.role_id
    where u.account_id = originator and r.highlighted and (r.permissions & 1839037) <> 0
      and r.position > coalesce(
        (select other.position from users own join roles other on other.id = coalesce(own.role_id, -99) where own.account_id = recipient),
        -1
      )
  )
$$;

-- Whether `other` hides what `target` does from its notifications: a block, or a mute with notifications.
create function silences(owner bigint, other bigint) returns boolean
language sql stable as $$
  select exists (select from blocks b where b.account_id = owner and b.target_account_id = other)
    or exists (
      select from mutes m
      where m.account_id = owner and m.target_account_id = other and m.hide_notifications
        and (m.expires_at is null or m.expires_at > clock_timestamp())
    )
$$;

-- What the recipient's policy does with a notification: accept, filter or drop.
create function notification_policy_says(recipient bigint, originator bigint, type text, status bigint) returns text
language plpgsql stable as $$
declare
  policy notification_policies%rowtype;
  sender accounts%rowtype;
  is_followed boolean;
  verdicts text[] := '{}';
begin
  if type not in ('mention', 'reblog', 'follow', 'follow_request', 'favourite', 'quote', 'added_to_collection')
    or exists (
      select from notification_permissions p where p.account_id = recipient and p.from_account_id = originator
    ) then
    return 'accept';
  end if;
  select * into policy from notification_policies p where p.account_id = recipient;
  select * into sender from accounts a where a.id = originator;
  is_followed := exists (
    select from follows f where f.account_id = recipient and f.target_account_id = originator
  );
  if coalesce(policy.for_not_followers, 'accept') <> 'accept' and not exists (
    select from follows f
    where f.account_id = originator and f.target_account_id = recipient
      and f.created_at < clock_timestamp() - interval '3 days'
  ) then
    verdicts := verdicts || policy.for_not_followers;
  end if;
  if not is_followed then
    verdicts := verdicts || coalesce(policy.for_not_following, 'accept');
    if sender.created_at > clock_timestamp() - interval '30 days' then
      verdicts := verdicts || coalesce(policy.for_new_accounts, 'accept');
    end if;
    if sender.silenced_at is not null then
      verdicts := verdicts || coalesce(policy.for_limited_accounts, 'filter');
    end if;
    if sender.actor_type in ('Service', 'Application') then
      verdicts := verdicts || coalesce(policy.for_bots, 'accept');
    end if;
    if type = 'mention' and coalesce(policy.for_private_mentions, 'filter') <> 'accept'
      and exists (select from statuses s where s.id = status and s.visibility = 'direct')
      and not answers_private_mention(recipient, originator, status) then
      verdicts := verdicts || coalesce(policy.for_private_mentions, 'filter');
    end if;
  end if;
  return case when 'drop' = any (verdicts) then 'drop' when 'filter' = any (verdicts) then 'filter' else 'accept' end;
end
$$;

-- Whether, at most 100 statuses up the thread, there is a direct status of the recipient that mentions the originator.
create function answers_private_mention(recipient bigint, originator bigint, status bigint) returns boolean
language sql stable as $$
  with recursive thread (id, depth) as (
    select s.in_reply_to_id, 1 from statuses s where s.id = status and s.in_reply_to_id is not null
    union all
    select s.in_reply_to_id, thread.depth + 1
    from thread
    join statuses s on s.id = thread.id
    where s.in_reply_to_id is not null and thread.depth < 100
  )
  select exists (
    select
    from thread
    join statuses s on s.id = thread.id
    join mentions m on m.status_id = s.id and m.account_id = originator
    where s.account_id = recipient and s.visibility = 'direct' and s.deleted_at is null
  )
$$;

-- Whether the recipient must not hear of it at all, whatever the policy says.
create function suppresses(recipient bigint, originator bigint, type text, status bigint) returns boolean
language sql stable as $$
  select silences(recipient, originator)
    or exists (
      select
      from accounts a
      join account_domain_blocks d on d.account_id = recipient and d.domain = a.domain
      where a.id = originator
        and not exists (select from follows f where f.account_id = recipient and f.target_account_id = originator)
    )
    or exists (
      select
      from statuses s
      join conversation_mutes c on c.conversation_id = s.conversation_id and c.account_id = recipient
      where s.id = status
    )
    or (
      type = 'mention' and (
        exists (
          select from statuses s where s.id = status and silences(recipient, s.in_reply_to_account_id)
        )
        or exists (
          select from mentions m where m.status_id = status and not m.silent and silences(recipient, m.account_id)
        )
      )
    )
$$;

-- The key of the group that a notification joins. Favourites and boosts of a status, follows and sign-ups are grouped while they come less
-- than 12 hours after the group began; others are alone.
create function notification_group(recipient bigint, type text, status bigint, id bigint) returns text
language plpgsql stable as $$
declare
  hour bigint := floor(extract(epoch from clock_timestamp()) / 3600)::bigint;
  prefix text := case
    when type in ('favourite', 'reblog') then type || '-' || status || '-'
    when type in ('follow', 'admin.sign_up') then type || '-'
  end;
  running bigint;
begin
  if prefix is null then
    return 'ungrouped-' || id;
  end if;
  select bucket into running
  from generate_series(hour, hour - 11, -1) bucket
  where exists (
    select from notifications n
    where n.account_id = recipient and n.group_key = prefix || bucket and not n.filtered
  )
  limit 1;
  return prefix || coalesce(running, hour);
end
$$;

-- Makes a notification unless it exists or is not wanted; logs notification.created. Gives the event, or null when there is none.
-- activity: the id of the favourite, follow, boost … that caused it: of one cause there is one notification.
-- group_key: null for the one that api/endpoints/notifications_v2.json gives for the type.
create function notify(
  recipient bigint, originator bigint, type text, status bigint, activity bigint, group_key text default null
) returns jsonb
language plpgsql as $$
#variable_conflict use_variable
declare
  verdict text := 'accept';
  made bigint;
  key text;
  told jsonb;
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
    if suppresses(recipient, originator, type, status) then
      return null;
    end if;
    verdict := notification_policy_says(recipient, originator, type, status);
    if verdict = 'drop' then
      return null;
    end if;
  end if;
  if type in ('update', 'quoted_update', 'collection_update') then
    delete from notifications n
    where n.account_id = recipient and n.type = notify.type and n.from_account_id = originator
      and n.status_id is not distinct from status and n.activity_id is not distinct from activity;
  end if;
  made := nextval(pg_get_serial_sequence('notifications', 'id'));
  key := case
    when verdict = 'filter' then 'ungrouped-' || made
    else coalesce(group_key, notification_group(recipient, type, status, made))
  end;
  insert into notifications (id, account_id, from_account_id, type, status_id, activity_id, group_key, filtered)
  overriding system value
  values (made, recipient, originator, type, status, activity, key, verdict = 'filter')
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
    'notification.created', recipient, originator, status, made,
    jsonb_build_object('type', type, 'filtered', verdict = 'filter', 'group_key', key)
  )
  returning event_json(events) into told;
  return told;
end
$$;
