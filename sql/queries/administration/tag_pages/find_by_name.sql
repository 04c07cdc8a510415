-- find_by_name: the hashtag with this normalised name.
-- $1 name text
-- rows: none or one
-- plan: one row by key
select t.id from tags t where t.name = $1
