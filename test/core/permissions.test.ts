import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { ALL_PERMISSIONS, hasPermission, PERMISSIONS } from '../../src/core/permissions.ts'
import { sqlFolder } from '../../src/platform/database/migration_files.ts'
import { createTestDatabase, execute } from '../support/database.ts'

const names = Object.keys(PERMISSIONS)

test('SQL and TypeScript have the same permissions', async t => {
  const { url } = await createTestDatabase(t)
  const rows = await execute(
    url,
    `select name, permission(name)::integer as bit from unnest('{${names.join()}}'::text[]) with ordinality n (name, place) order by place`,
  )
  assert.deepEqual(
    rows.map(row => [row['name'], row['bit']]),
    Object.entries(PERMISSIONS),
  )
  assert.equal(ALL_PERMISSIONS, 0x7fffff)
  const sql = readdirSync(sqlFolder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.sql') && file !== 'schema.sql')
    .map(file => readFileSync(join(sqlFolder, file), 'utf8'))
    .join('\n')
  const used = [...sql.matchAll(/\b(?:permission\(|has_permission\([^\n']*)'(\w+)'/g)].map(found => found[1] ?? '')
  assert.deepEqual(
    used.filter(name => !names.includes(name)),
    [],
    'no other is asked for',
  )
  assert.doesNotMatch(sql, /permissions\)* & \(*\d/, 'bits are asked for by name')
})

test('a permission is granted by its bit, and to administrators', async t => {
  const { url } = await createTestDatabase(t)
  for (const mask of [0, 1, PERMISSIONS.manage_users, ALL_PERMISSIONS & ~PERMISSIONS.manage_users & ~1]) {
    const [row] = await execute(url, `select has_permission(${mask}, 'manage_users') as has`)
    assert.equal(row?.['has'], hasPermission({ permissions: mask }, 'manage_users'), `mask ${mask}`)
    assert.equal(row['has'], mask === 1 || mask === PERMISSIONS.manage_users)
  }
  assert.equal(hasPermission(null, 'view_feeds'), false)
})

test('a permission by name costs no more than by number', async t => {
  const { url } = await createTestDatabase(t)
  const plan = await execute(url, `explain select from roles r where has_permission(r.permissions, 'manage_users')`)
  assert.match(JSON.stringify(plan), /Filter: \(\(permissions & '1025'::bigint\) <> 0\)/)
})

test('a new server has the default roles', async t => {
  const { url } = await createTestDatabase(t)
  const rows = await execute(url, 'select id::integer, permissions::integer from roles order by id')
  assert.deepEqual(
    rows.map(row => [row['id'], row['permissions']]),
    [
      [-99, 65_536],
      [1, 1_049_884],
      [2, 2_031_612],
      [3, 1],
    ],
  )
})
