-- find_preset: one preset of a warning.
-- $1 id bigint
-- rows: none or one
-- plan: one row by key
select p.id, p.title, p.text from warning_presets p where p.id = $1
