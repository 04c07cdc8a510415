-- find: whether a report exists.
-- $1 report bigint
-- rows: none or one
-- plan: one row by key
select r.id from reports r where r.id = $1
