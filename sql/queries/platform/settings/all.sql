-- all: every setting that was ever changed; the others have their defaults.
-- rows: one a stored setting
-- plan: all of a small table
select s.key, s.value from settings s
