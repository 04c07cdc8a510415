-- A trigger of poll_votes: enqueues the votes of local accounts in remote polls, and the Update of
-- a local poll, three minutes later and once for the votes within about three minutes. Hidden
-- totals are sent at the end only.
create or replace function federate_votes() returns trigger language plpgsql as $$
begin
  if not exists (select from accounts a where a.inbox_url <> '') then
    return null;
  end if;
  perform enqueue(
    'federation.send_votes',
    json_build_object('account', given.account_id::text, 'poll', given.poll_id::text, 'choices', given.choices),
    queue_name => 'federation.send:' || given.account_id % 16
  )
  from (
    select c.account_id, c.poll_id, to_json(array_agg(c.choice order by c.choice)) as choices
    from changed c
    join polls p on p.id = c.poll_id
    join statuses s on s.id = p.status_id and not s.local
    join accounts a on a.id = c.account_id and a.domain is null
    group by c.account_id, c.poll_id
  ) given;
  perform enqueue(
    'federation.send_poll',
    json_build_object('status', counted.status_id::text),
    run_at => now() + interval '3 minutes',
    job_key => format('federation.poll:%s:%s', counted.status_id, floor(extract(epoch from now()) / 180))
  )
  from (
    select distinct p.status_id
    from changed c
    join polls p on p.id = c.poll_id and not p.hide_totals
    join statuses s on s.id = p.status_id and s.local
  ) counted;
  return null;
end
$$;
