import assert from 'node:assert/strict'
import { test } from 'tap'
import { createTestDatabase, execute } from '../../support/database.ts'

test('every foreign key has an index that finds the rows that refer to a removed one', async t => {
  const { url } = await createTestDatabase(t)
  const missing = await execute(
    url,
    `select c.conrelid::regclass::text as "table", a.attname as "column"
     from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace
       and not exists (
         select from pg_index i
         where i.indrelid = c.conrelid and i.indisvalid and i.indkey[0] = c.conkey[1]
           and (
             i.indpred is null
             or pg_get_expr(i.indpred, i.indrelid) = '(' || quote_ident(a.attname) || ' IS NOT NULL)'
           )
       )
     order by 1, 2`,
  )
  assert.deepEqual(missing, [])
})
