-- list_presets: the presets of warnings, by title.
-- rows: all
-- plan: all of a small table
select p.id, p.title, p.text from warning_presets p order by p.title, p.id
