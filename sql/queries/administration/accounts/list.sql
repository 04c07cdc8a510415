-- list: a page of accounts for staff, newest first.
-- $1 filter jsonb
-- $2 max_id bigint
-- $3 since_id bigint
-- $4 min_id bigint
-- $5 limit integer
-- rows: at most $5
-- plan: that of a function, which chooses the index by the filters
select a.id from staff_accounts($1::jsonb, $2::bigint, $3::bigint, $4::bigint, $5::integer) a (id) order by a.id desc
