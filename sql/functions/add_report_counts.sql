-- Adds reports to the daily counters (report_counters), and takes others away.
create or replace function add_report_counts(added reports[], removed reports[]) returns void language sql as $$
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select moved.counter, moved.day, moved.domain, '', pg_backend_pid(), sum(moved.amount)
  from (
    select one.counter, one.day, one.domain, 1 as amount from unnest(added) r cross join lateral report_counters(r) one
    union all
    select one.counter, one.day, one.domain, -1 from unnest(removed) r cross join lateral report_counters(r) one
  ) moved
  group by moved.counter, moved.day, moved.domain
  having sum(moved.amount) <> 0
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount
$$;
