-- lock: a report whose category is to be changed.
-- $1 report bigint
-- $2 rules bigint[]
-- rows: none or one; known_rules: how many of the rules exist, deleted ones too
-- plan: one row by key
select r.category, r.rule_ids, (select count(*) from rules o where o.id = any ((select $2::bigint[])::bigint[]))::integer as known_rules
from reports r
where r.id = $1
for no key update of r
