-- The daily counters that a report belongs to: opened reports by the domain of the reported
-- account, and resolved ones.
create or replace function report_counters(r reports) returns table (counter day_counter, day date, domain text)
language sql stable as $$
  select one.counter, one.day, one.domain
  from (
    values
      (
        'reports'::day_counter, (r.created_at at time zone 'UTC')::date,
        coalesce((select a.domain from accounts a where a.id = r.target_account_id), '')
      ),
      ('resolved_reports', (r.action_taken_at at time zone 'UTC')::date, '')
  ) one (counter, day, domain)
  where one.day is not null
$$;
