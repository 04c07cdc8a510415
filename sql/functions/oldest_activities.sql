-- Returns the oldest activities of a lane, after the transactions of accept_activities that rely on
-- the calling job have committed. The activities stay stored until they are processed.
create or replace function oldest_activities(lane integer, amount integer) returns setof received_activities
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('received_activities'));
  return query
    select r.* from received_activities r where r.lane = oldest_activities.lane order by r.id limit oldest_activities.amount;
end
$$;
