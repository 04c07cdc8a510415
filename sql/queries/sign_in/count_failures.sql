-- count_failures: how often a second factor was wrong within the hour, with this failure when one is added.
-- $1 user bigint
-- $2 added integer
-- rows: one
insert into rate_counters (name, key, window_start, expires_at, amount)
values ('second_factor', $1::bigint::text, date_trunc('hour', now()), date_trunc('hour', now()) + interval '1 hour', $2::integer)
on conflict (name, key, window_start) do update set amount = rate_counters.amount + excluded.amount
returning rate_counters.amount::integer as failures
