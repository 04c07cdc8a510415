-- A trigger of reports: keeps the daily counters of reports (report_counters).
create or replace function count_reports() returns trigger language plpgsql as $$
begin
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select moved.counter, moved.day, moved.domain, '', pg_backend_pid(), sum(moved.amount)
  from (
    select former.*, -1 as amount from report_counters(old) former
    union all
    select present.*, 1 from report_counters(new) present
  ) moved
  group by moved.counter, moved.day, moved.domain
  having sum(moved.amount) <> 0
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  return null;
end
$$;
