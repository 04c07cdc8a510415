-- Whether a recipient gets a notification: accept, filter or drop. Drop also when the recipient is
-- elsewhere, suspended or being deleted, or is the originator where that notifies nobody.
create or replace function notification_verdict(recipient bigint, originator bigint, type text, status bigint) returns text
language plpgsql stable as $$
begin
  if not exists (
    select from accounts a
    where a.id = recipient and a.domain is null and a.suspended_at is null and a.deletion_requested_at is null
  ) then
    return 'drop';
  end if;
  if recipient = originator then
    return case
      when type in ('poll', 'severed_relationships', 'moderation_warning', 'annual_report') then 'accept' else 'drop'
    end;
  end if;
  if type = 'mention' and ranks_as_staff(originator, recipient) then
    return 'accept';
  end if;
  if blocks_notification(recipient, originator, type, status) then
    return 'drop';
  end if;
  return notification_policy_decision(recipient, originator, type, status);
end
$$;
