-- An id that is greater than all ids of earlier milliseconds.
create or replace function snowflake() returns bigint
language sql volatile parallel unsafe
return ((extract(epoch from clock_timestamp()) * 1000)::bigint << 16) | (nextval('snowflakes') & 65535);
