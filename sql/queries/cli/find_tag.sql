-- find_tag: the hashtag with this normalised name.
-- $1 name text
-- rows: one, or none
-- plan: no sequential scan
select t.id from tags t where t.name = $1
