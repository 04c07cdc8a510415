-- indexes: the indexes of a table that are built faster after its rows are inserted: all but those
-- that foreign keys refer to.
-- $1 table_name text
-- rows: one an index, with the statements that drop and create it
-- plan: the catalogue
select
  coalesce(
    'alter table ' || $1 || ' drop constraint ' || quote_ident(k.conname), 'drop index ' || quote_ident(i.relname)
  ) as drop_statement,
  coalesce(
    'alter table ' || $1 || ' add constraint ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid),
    pg_get_indexdef(i.oid)
  ) as create_statement
from pg_index x
join pg_class i on i.oid = x.indexrelid
left join pg_constraint k on k.conindid = x.indexrelid and k.conrelid = x.indrelid and k.contype = 'u'
where x.indrelid = $1::regclass and not x.indisprimary
  and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = x.indexrelid)
order by i.relname
