-- Drops the oldest partition if all of its rows are older than `keep`, and names it; null when there is none.
-- Everybody is kept out for the moment of the drop, and for at most the time-out while it waits for its turn
-- (`detach partition … concurrently` is not to be had with a default partition).
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
