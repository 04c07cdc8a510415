-- An id for a record that was created before it is stored.
create or replace function snowflake_at(made timestamptz) returns bigint
language sql volatile parallel unsafe
return ((extract(epoch from made) * 1000)::bigint << 16) | (nextval('snowflakes') & 65535);
