-- A trigger of events: enqueues the Update of a local account, once for the changes within a few
-- seconds, or its Delete.
create or replace function federate_profiles() returns trigger language plpgsql as $$
begin
  if new.kind = 'account.changed' and new.data ->> 'change' not in (
    'profile', 'verified', 'aliases', 'moved', 'suspended', 'unsuspended', 'deleted'
  ) then
    return null;
  end if;
  if (exists (select from accounts a where a.inbox_url <> '') or exists (select from relays r where r.state = 'accepted'))
    and exists (select from accounts a where a.id = new.account_id and a.domain is null)
  then
    perform enqueue(
      'federation.send_account',
      json_build_object('account', new.account_id::text, 'at', floor(extract(epoch from new.created_at))),
      run_at => now() + interval '5 seconds',
      job_key => format('federation.account:%s', new.account_id)
    );
  end if;
  return null;
end
$$;
