-- record: counts an attempt in the current hour, unless the limit is reached. Of simultaneous
-- attempts only as many get a row as the limit allows.
-- $1 name text
-- $2 key text
-- $3 max integer
-- rows: one with the number of this attempt and its hour; none when the limit is reached
-- plan: rows are inserted, none are read
insert into rate_counters (name, key, window_start, expires_at, amount)
values ($1, $2, date_trunc('hour', now()), date_trunc('hour', now()) + interval '1 hour', 1)
on conflict (name, key, window_start) do update set amount = rate_counters.amount + 1
where rate_counters.amount < $3::integer
returning rate_counters.amount::integer as number, rate_counters.window_start as hour
