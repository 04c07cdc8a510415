-- Stores activities that other servers delivered, and wakes the jobs of their lanes. A host has one
-- of 16 lanes, so that a flood from one delays few others, and what several send at the same time
-- is processed together.
-- A job that waits already will read them. It might begin, and end, before this transaction
-- commits: take_activities waits for the lock, and a job that has begun is seen as running here.
create or replace function accept_activities(hosts text[], actors text[], bodies text[], recipients text[]) returns void
language plpgsql as $$
begin
  insert into received_activities (lane, host, actor, body, recipient_id)
  select hashtext(given.host) & 15, given.host, given.actor, given.body,
    nullif(given.recipient, '')::bigint
  from unnest(hosts, actors, bodies, recipients) given (host, actor, body, recipient);
  delete from delivery_hosts h where h.host = any (hosts);
  perform pg_advisory_xact_lock_shared(hashtext('received_activities'));
  perform wake_lane(needed.lane)
  from (
    select distinct hashtext(given.host) & 15 as lane from unnest(hosts) given (host)
  ) needed
  where not exists (
    select from graphile_worker.jobs j
    where j.key = 'federation.receive_lane:' || needed.lane and j.locked_at is null and j.run_at <= now() and j.attempts < j.max_attempts
  );
end
$$;
