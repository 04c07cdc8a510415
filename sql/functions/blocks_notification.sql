-- Whether the recipient must not be notified, whatever the policy decides.
create or replace function blocks_notification(recipient bigint, originator bigint, type text, status bigint) returns boolean
language sql stable as $$
  select mutes_notifications(recipient, originator)
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
          select from statuses s where s.id = status and mutes_notifications(recipient, s.in_reply_to_account_id)
        )
        or exists (
          select from mentions m where m.status_id = status and not m.silent and mutes_notifications(recipient, m.account_id)
        )
      )
    )
$$;
