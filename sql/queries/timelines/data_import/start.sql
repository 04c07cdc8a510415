-- start: stores an import with its rows, unless the account has several unfinished ones. Run under
-- lock_account.
-- $1 account bigint
-- $2 kind text
-- $3 overwrite boolean
-- $4 file_name text
-- $5 rows jsonb
-- $6 limit integer
-- rows: none when too many are unfinished
-- plan: no sequential scan
with made as (
  insert into imports (account_id, kind, overwrite, file_name, rows_count)
  select $1, $2, $3, $4, jsonb_array_length($5)
  where (select count(*) from imports i where i.account_id = $1 and i.finished_at is null) < $6::integer
  returning imports.id
), stored as (
  insert into import_rows (import_id, position, cells)
  select made.id, given.position, array(select jsonb_array_elements_text(given.cells))
  from made
  cross join jsonb_array_elements($5) with ordinality given (cells, position)
)
select made.id from made
