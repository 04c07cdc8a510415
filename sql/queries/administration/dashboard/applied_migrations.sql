-- applied_migrations: the names of the applied migrations.
-- rows: one a migration
-- plan: a sequential scan of a small table
select m.name from migrations m
