-- The day (UTC) of an id.
create or replace function snowflake_day(id bigint) returns date
language sql immutable parallel safe
return (timestamp 'epoch' + (id >> 16) * interval '1 millisecond')::date;
