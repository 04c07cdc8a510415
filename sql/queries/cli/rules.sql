-- rules: the rules of the server, in order.
-- rows: one a rule
-- plan: all of a small table
select r.id, r.text, r.hint, array(select jsonb_object_keys(r.translations) order by 1) as languages
from rules r
where r.deleted_at is null
order by r.position, r.id
