-- record_successes: records the time at which servers accepted a delivery.
-- $1 hosts text[]
-- rows: none
-- plan: no sequential scan
insert into delivery_successes as d (host) select input.host from unnest((select $1::text[])) input (host) order by input.host
on conflict (host) do update set at = excluded.at
