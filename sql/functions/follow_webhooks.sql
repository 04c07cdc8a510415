-- A trigger of webhooks, at the commit: enables the trigger of events while there is an enabled
-- webhook, which waits for the transactions that have logged events, and holds up others meanwhile.
-- One transaction at a time, so that each sees the webhooks of those before it.
create or replace function follow_webhooks() returns trigger
language plpgsql set lock_timeout = '3s' as $$
declare
  wanted boolean;
  present boolean;
begin
  -- "hook" in ASCII.
  perform pg_advisory_xact_lock(x'686f6f6b'::integer);
  wanted := exists (select from webhooks w where w.enabled);
  present := (
    select t.tgenabled <> 'D' from pg_trigger t where t.tgrelid = 'events'::regclass and t.tgname = 'events_webhooks'
  );
  if wanted and not present then
    alter table events enable trigger events_webhooks;
  elsif present and not wanted then
    alter table events disable trigger events_webhooks;
  end if;
  return null;
end
$$;
