-- How far something exceeds what is expected of it: the square of the excess, by what is expected (as in a chi-squared test), so that
-- doubling counts for more the more people do it. 0 below the threshold, and for what is used less than expected. At least one use is
-- always expected.
create or replace function trend_score(observed bigint, expected bigint, threshold integer) returns double precision
language sql immutable parallel safe
return case
  when observed < threshold or observed < expected then 0
  else (observed - greatest(coalesce(expected, 0), 1)) ^ 2 / greatest(coalesce(expected, 0), 1)::double precision
end;
