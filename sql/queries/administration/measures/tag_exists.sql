-- tag_exists: whether there is a hashtag with this id.
-- $1 tag bigint
-- rows: one, or none
-- plan: no sequential scan
select t.id from tags t where t.id = $1
