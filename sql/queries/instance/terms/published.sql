-- published: the published terms of service in the order of their effective dates.
-- rows: one each; succeeded_by: when the next ones take effect; effective: whether they have, null
--   without a date
-- plan: all of a small table
select
  t.text,
  to_char(t.effective_date, 'YYYY-MM-DD') as effective_date,
  t.published_at,
  t.effective_date <= (now() at time zone 'UTC')::date as effective,
  to_char(lead(t.effective_date) over (order by t.effective_date nulls first, t.published_at), 'YYYY-MM-DD') as succeeded_by
from terms_of_service t
where t.published_at is not null
order by t.effective_date nulls first, t.published_at
