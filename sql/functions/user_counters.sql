-- The daily counters that a user belongs to: sign-ups by application, latest sign-ins by language
-- of the interface, and cohorts by the day of sign-up and that of the latest sign-in.
create or replace function user_counters(u users) returns table (counter day_counter, day date, detail text)
language sql immutable as $$
  select one.counter, one.day, one.detail
  from (
    values
      ('sign_ups'::day_counter, (u.created_at at time zone 'UTC')::date, coalesce(u.created_by_application_id::text, '')),
      ('sign_ins', (u.current_sign_in_at at time zone 'UTC')::date, coalesce(u.locale, '')),
      (
        'cohorts', (u.created_at at time zone 'UTC')::date,
        coalesce(to_char(u.current_sign_in_at at time zone 'UTC', 'YYYY-MM-DD'), '')
      )
  ) one (counter, day, detail)
  where one.day is not null
$$;
