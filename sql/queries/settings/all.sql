-- all: every setting that was ever changed; the others have their defaults.
-- rows: one a stored setting
select s.key, s.value from settings s
