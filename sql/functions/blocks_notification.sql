-- Whether the recipient must not be notified, whatever the policy decides. Few statements, because
-- each mention asks.
create or replace function blocks_notification(recipient bigint, originator bigint, type text, status bigint) returns boolean
language plpgsql stable as $$
declare
  -- Those whose block or mute counts: also whom a mention answers, and whom it mentions too.
  parties bigint[] := array[originator];
  conversation bigint;
  answered bigint;
begin
  if status is not null then
    select s.conversation_id, s.in_reply_to_account_id into conversation, answered from statuses s where s.id = status;
    if type = 'mention' then
      parties := parties || answered || array(select m.account_id from mentions m where m.status_id = status and not m.silent);
    end if;
  end if;
  return exists (select from blocks b where b.account_id = recipient and b.target_account_id = any (parties))
    or exists (
      select from mutes m
      where m.account_id = recipient and m.target_account_id = any (parties) and m.hide_notifications
        and (m.expires_at is null or m.expires_at > clock_timestamp())
    )
    or exists (select from conversation_mutes c where c.conversation_id = conversation and c.account_id = recipient)
    or exists (
      select
      from account_domain_blocks d
      join accounts a on a.domain = d.domain
      where d.account_id = recipient and a.id = originator
        and not exists (select from follows f where f.account_id = recipient and f.target_account_id = originator)
    );
end
$$;
