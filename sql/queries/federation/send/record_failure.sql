-- record_failure: counts a failed delivery. From the tenth consecutive failure on, each pauses the
-- server for a minute; failures on seven different days make it unavailable.
-- $1 host text
-- $2 error text
-- rows: none
-- plan: no sequential scan
insert into delivery_hosts as h (host, failures, failed_days, last_failed_at, last_error)
values ($1, 1, array[current_date], now(), $2)
on conflict (host) do update set
  failures = h.failures + 1,
  last_failed_at = now(),
  last_error = excluded.last_error,
  paused_until = case when h.failures + 1 >= 10 then now() + interval '60 seconds' else h.paused_until end,
  failed_days = case when current_date = any (h.failed_days) then h.failed_days else h.failed_days || current_date end,
  unavailable_since = case
    when h.unavailable_since is null and cardinality(h.failed_days) >= 6 and not current_date = any (h.failed_days) then now()
    else h.unavailable_since
  end
