-- The oldest activities of a lane, after everything that accept_activities has stored for the job
-- that calls this is committed. They stay stored until they are processed.
create or replace function take_activities(lane integer, amount integer) returns setof received_activities
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('received_activities'));
  return query
    select r.* from received_activities r where r.lane = take_activities.lane order by r.id limit take_activities.amount;
end
$$;
