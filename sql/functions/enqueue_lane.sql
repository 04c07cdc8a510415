-- Enqueues the job that processes the activities of a lane; at most one waits and one runs.
create or replace function enqueue_lane(lane integer) returns void
language sql as $$
  select enqueue(
    'federation.receive_lane',
    json_build_object('lane', lane),
    attempts => 25,
    priority => 5,
    job_key => 'federation.receive_lane:' || lane,
    queue_name => 'federation.receive:' || lane
  )
$$;
