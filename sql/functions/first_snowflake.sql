-- The smallest id of this time.
create or replace function first_snowflake(at timestamptz) returns bigint
language sql immutable parallel safe
return (extract(epoch from at) * 1000)::bigint << 16;
