-- The daily counters that a report belongs to: opened reports by the domain of the reported
-- account, and resolved ones.
-- The account may be deleted in the same transaction; an early migration, which counts by this,
-- does not have the column target_domain yet.
create or replace function report_counters(r reports) returns table (counter day_counter, day date, domain text)
language sql stable as $$
  select one.counter, one.day, one.domain
  from (
    values
      (
        'reports'::day_counter, (r.created_at at time zone 'UTC')::date,
        coalesce(to_jsonb(r) ->> 'target_domain', (select a.domain from accounts a where a.id = r.target_account_id), '')
      ),
      ('resolved_reports', (r.action_taken_at at time zone 'UTC')::date, '')
  ) one (counter, day, domain)
  where one.day is not null
$$;
