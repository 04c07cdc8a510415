-- all: the server's current rules, in order.
-- rows: one a rule
-- plan: all of a small table
select r.id, r.text, r.hint, r.translations
from rules r
where r.deleted_at is null
order by r.position, r.id
