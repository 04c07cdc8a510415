-- terms: all terms of service, drafts included.
-- rows: one each
-- plan: all of a small table
select t.id, to_char(t.effective_date, 'YYYY-MM-DD') as effective_date, t.published_at, t.changelog
from terms_of_service t
order by t.effective_date nulls first, t.id
