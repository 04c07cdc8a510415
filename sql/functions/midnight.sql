-- The start of a day (UTC).
create or replace function midnight(day date) returns timestamptz
language sql immutable parallel safe
return day::timestamp at time zone 'UTC';
