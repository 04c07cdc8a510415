-- The hourly partitions of the event log: made ahead of time, dropped by age. src/events/partitions.ts says when.
-- Locks: none on existing tables; two functions are added.

-- Makes the partition of the hour that is `ahead` hours from now, and says whether it was made.
-- It is made apart and attached: `create table … partition of` would keep all writers out, this only keeps readers out while the
-- default partition is looked through. Rows of that hour in the default partition stay there (and no partition is made), because a
-- reader that planned its query a moment ago would find them in neither place.
create function make_event_partition(ahead integer) returns boolean
language plpgsql set lock_timeout = '5s' as $$
declare
  starts timestamptz := date_trunc('hour', clock_timestamp(), 'UTC') + make_interval(hours => ahead);
  ends timestamptz := starts + interval '1 hour';
  partition text := 'events_' || to_char(starts at time zone 'UTC', 'YYYYMMDDHH24');
begin
  if to_regclass(partition) is not null then
    return false;
  end if;
  -- One process at a time. This lock keeps neither readers nor writers out, and does not hold the log back.
  lock table events in share update exclusive mode;
  if to_regclass(partition) is not null
    or exists (select from events_default e where e.created_at >= starts and e.created_at < ends) then
    return false;
  end if;
  -- From here on this transaction holds the log back, and readers wait behind it: give up soon, there is a next time.
  perform set_config('lock_timeout', '200ms', true);
  execute format('create table %I (like events including defaults)', partition);
  execute format('alter table events attach partition %I for values from (%L) to (%L)', partition, starts, ends);
  return true;
end
$$;

-- Drops the oldest partition if all of its rows are older than `keep`, and names it; null when there is none.
-- Everybody is kept out for the moment of the drop, and for at most the time-out while it waits for its turn
-- (`detach partition … concurrently` is not to be had with a default partition).
create function drop_event_partition(keep interval) returns text
language plpgsql set lock_timeout = '200ms' as $$
declare
  oldest text;
begin
  select min(c.relname) into oldest
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{10}$';
  if oldest is null
    or to_timestamp(oldest || '+00', '"events_"YYYYMMDDHH24TZH') + interval '1 hour' > clock_timestamp() - keep then
    return null;
  end if;
  execute format('drop table if exists %I', oldest);
  return oldest;
end
$$;
