-- The value of a score after this time, if half of it is lost in each half-life.
create or replace function decayed(score double precision, age interval, half_life_s integer) returns double precision
language sql immutable parallel safe
return score * 0.5 ^ least(greatest(extract(epoch from age)::double precision / half_life_s, 0), 1000);
