-- all: every secret of the installation.
-- rows: one a secret
-- plan: all of a small table
select s.name, s.value from secrets s
