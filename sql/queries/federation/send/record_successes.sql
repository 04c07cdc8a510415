-- record_successes: records that servers accepted a delivery.
-- $1 hosts text[]
-- rows: none
-- plan: no sequential scan
insert into delivery_successes as d (host) select given.host from unnest($1::text[]) given (host) order by given.host
on conflict (host) do update set at = excluded.at
