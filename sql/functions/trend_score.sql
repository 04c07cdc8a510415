-- How far a count exceeds its expectation: the square of the excess divided by the expectation (as
-- in a chi-squared test), so that doubling counts for more the more people do it. 0 below the
-- threshold, and when the count is below the expectation. At least one use is always expected.
create or replace function trend_score(observed bigint, expected bigint, threshold integer) returns double precision
language sql immutable parallel safe
return case
  when observed < threshold or observed < expected then 0
  else (observed - greatest(coalesce(expected, 0), 1)) ^ 2 / greatest(coalesce(expected, 0), 1)::double precision
end;
