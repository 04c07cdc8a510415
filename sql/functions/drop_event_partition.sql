-- Drops the oldest partition if all of its rows are older than `keep`, and returns its name; null
-- when there is none. The drop locks out all readers and writers for a moment, and for at most the
-- time-out while it waits for its lock (`detach partition … concurrently` is not available with a
-- default partition).
create or replace function drop_event_partition(keep interval) returns text
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
