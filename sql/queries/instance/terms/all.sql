-- all: all terms of service, drafts included, those that take effect last first.
-- rows: one each
-- plan: all of a small table
select t.id, t.text, t.changelog, to_char(t.effective_date, 'YYYY-MM-DD') as effective_date, t.published_at
from terms_of_service t
order by t.effective_date desc nulls first, t.id desc
