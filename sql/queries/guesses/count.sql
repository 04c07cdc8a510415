-- count: how often something that is guessed was wrong within the hour, with what is added.
-- $1 name text
-- $2 key text
-- $3 added integer
-- rows: one
insert into rate_counters (name, key, window_start, expires_at, amount)
values ($1, $2, date_trunc('hour', now()), date_trunc('hour', now()) + interval '1 hour', $3::integer)
on conflict (name, key, window_start) do update set amount = rate_counters.amount + excluded.amount
returning rate_counters.amount::integer as failures
