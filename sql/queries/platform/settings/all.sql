-- all: every changed setting; the others have their defaults.
-- rows: one a stored setting
-- plan: all of a small table
select s.key, s.value from settings s
