-- new_terms: the latest terms of service that were published after a user was last shown any.
-- $1 user bigint
-- rows: none or one; effective: whether they are in force
-- plan: one row by key; all of the small table of terms
select to_char(t.effective_date, 'YYYY-MM-DD') as date, t.effective_date <= (now() at time zone 'UTC')::date as effective,
  t.changelog
from users u
join terms_of_service t on t.published_at > u.terms_seen_at
where u.id = $1 and t.effective_date is not null
order by t.published_at desc
limit 1
