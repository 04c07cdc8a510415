-- Creates the partition of the hour that is `ahead` hours from now, and returns whether it was
-- created. It is created separately and attached: `create table … partition of` would lock out all
-- writers, this only locks out readers while the default partition is scanned. Rows of that hour in
-- the default partition stay there (and no partition is created), because a reader with an earlier
-- plan would find them in neither place.
create or replace function make_event_partition(ahead integer) returns boolean
language plpgsql set lock_timeout = '5s' as $$
declare
  starts timestamptz := date_trunc('hour', clock_timestamp(), 'UTC') + make_interval(hours => ahead);
  ends timestamptz := starts + interval '1 hour';
  partition text := 'events_' || to_char(starts at time zone 'UTC', 'YYYYMMDDHH24');
begin
  if to_regclass(partition) is not null then
    return false;
  end if;
  -- One process at a time. This lock blocks neither readers nor writers, nor holds the log back.
  lock table events in share update exclusive mode;
  if to_regclass(partition) is not null
    or exists (select from events_default e where e.created_at >= starts and e.created_at < ends) then
    return false;
  end if;
  -- From here on this transaction holds the log back, and readers wait behind it: give up soon, as
  -- the next run tries again.
  perform set_config('lock_timeout', '200ms', true);
  execute format('create table %I (like events including defaults)', partition);
  -- No statement searches the data, whose statistics were two thirds of the work of ANALYZE.
  execute format('alter table %I alter column data set statistics 0', partition);
  execute format('alter table events attach partition %I for values from (%L) to (%L)', partition, starts, ends);
  return true;
end
$$;
