-- all: every secret of the installation.
-- rows: one a secret
select s.name, s.value from secrets s
