-- The decision of the recipient's policy on a notification: accept, filter or drop.
create or replace function notification_policy_decision(recipient bigint, originator bigint, type text, status bigint) returns text
language plpgsql stable as $$
declare
  policy notification_policies%rowtype;
  sender record;
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
  select a.created_at, a.silenced_at, a.actor_type into sender from accounts a where a.id = originator;
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
