-- Stores activities that other servers delivered, and enqueues the jobs of their lanes. A host has
-- one of 16 lanes, so that many activities from one host delay few other hosts, and activities that
-- several hosts send at the same time are processed together. A lane whose job is already waiting
-- needs no other job: the waiting job might start and end before this transaction commits, but
-- oldest_activities waits for the advisory lock, and a job that has started is no longer waiting.
create or replace function accept_activities(hosts text[], actors text[], bodies text[], recipients text[]) returns void
language plpgsql as $$
begin
  insert into received_activities (lane, host, actor, body, recipient_id)
  select hashtext(given.host) & 15, given.host, given.actor, given.body,
    nullif(given.recipient, '')::bigint
  from unnest(hosts, actors, bodies, recipients) given (host, actor, body, recipient);
  delete from delivery_hosts h where h.host = any (hosts);
  perform pg_advisory_xact_lock_shared(hashtext('received_activities'));
  perform enqueue_lane(needed.lane)
  from (
    select distinct hashtext(given.host) & 15 as lane from unnest(hosts) given (host)
  ) needed
  where not exists (
    select from graphile_worker.jobs j
    where j.key = 'federation.receive_lane:' || needed.lane and j.locked_at is null and j.run_at <= now() and j.attempts < j.max_attempts
  );
end
$$;
