-- Renamed to enqueue_lane and oldest_activities, whose files are applied at each start. Locks
-- nothing but the functions.
drop function if exists wake_lane(integer);
drop function if exists take_activities(integer, integer);
