import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { test } from 'tap'
import { declaredQueries, SQL_FOLDER, type Query, type Columns } from '../../../src/platform/database/index.ts'
import { createTestDatabase } from '../../support/database.ts'
import '../../support/declarations.ts'

interface Described {
  parameters: string[]
  columns: { name: string; type: string; sourceNullable: boolean }[]
}

/**
 * Sends Parse, Describe and Sync: PostgreSQL neither plans nor runs the statement, but describes
 * its types.
 */
class Description extends pg.Query {
  fields: pg.FieldDef[] = []
  readonly statement: string
  constructor(statement: string) {
    super(statement)
    this.statement = statement
  }
  override submit = (connection: pg.Connection): void => {
    connection.parse({ text: this.statement, name: '', types: [] }, true)
    connection.describe({ type: 'S' }, true)
    connection.sync()
  }
  handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    this.fields = message.fields
  }
}

const nameOfType = async (client: pg.Client, oid: number): Promise<string> =>
  (await client.query<{ name: string }>('select format_type($1, null) as name', [oid])).rows[0]?.name ?? ''

async function describe(client: pg.Client, query: Query<Columns, Columns>): Promise<Described> {
  await client.query(`prepare described as ${query.text}`)
  const { rows } = await client.query<{ types: string[] }>(
    `select parameter_types::text[] as types from pg_prepared_statements where name = 'described'`,
  )
  await client.query('deallocate described')
  const fields = await new Promise<pg.FieldDef[]>((resolve, reject) => {
    const description = new Description(query.text)
    description.once('error', reject)
    description.once('end', () => resolve(description.fields))
    client.query(description)
  })
  const columns = await Promise.all(
    fields.map(async field => {
      const source = await client.query<{ attnotnull: boolean }>(
        'select attnotnull from pg_attribute where attrelid = $1 and attnum = $2',
        [field.tableID, field.columnID],
      )
      return {
        name: field.name,
        type: await nameOfType(client, field.dataTypeID),
        sourceNullable: source.rows[0]?.attnotnull === false,
      }
    }),
  )
  return { parameters: rows[0]?.types ?? [], columns }
}

/** The differences between a declaration and its statement, one line each. */
function differences(query: Query<Columns, Columns>, described: Described): string[] {
  const faults: string[] = []
  query.order.forEach((name, index) => {
    const declared = query.parameters[name]?.sql
    if (declared !== described.parameters[index]) {
      faults.push(`$${index + 1} ${name} is declared ${declared}, PostgreSQL takes ${described.parameters[index]}`)
    }
  })
  if (described.parameters.length !== query.order.length) {
    faults.push(`${query.order.length} parameters are declared, PostgreSQL takes ${described.parameters.length}`)
  }
  const declaredNames = Object.keys(query.columns).toSorted().join(', ')
  const givenNames = described.columns
    .map(column => column.name)
    .toSorted()
    .join(', ')
  if (declaredNames !== givenNames)
    faults.push(`columns (${declaredNames}) are declared, PostgreSQL gives (${givenNames})`)
  for (const column of described.columns) {
    const declared = query.columns[column.name]
    if (!declared) continue
    const given = column.type === 'json' ? 'jsonb' : column.type
    if (declared.sql !== given) faults.push(`${column.name} is declared ${declared.sql}, PostgreSQL gives ${given}`)
    // A statement that returns only rows with a value filters by `is not null`.
    const filtered = new RegExp(`\\.${column.name} is not null`).test(query.text)
    if (column.sourceNullable && !declared.nullable && !filtered) faults.push(`${column.name} may be null`)
  }
  return faults
}

async function statementFiles(): Promise<string[]> {
  const folder = fileURLToPath(new URL('queries/', SQL_FOLDER))
  const found = await readdir(folder, { recursive: true })
  return found.filter(name => name.endsWith('.sql')).map(name => name.slice(0, -4))
}

test('every statement in sql/queries is declared once, and every declaration has its file', async () => {
  const files = await statementFiles()
  assert.deepEqual([...declaredQueries().keys()].toSorted(), files.toSorted())
})

test('every header says what the statement does and what it costs', async () => {
  const faults: string[] = []
  for (const name of await statementFiles()) {
    const text = await readFile(new URL(`queries/${name}.sql`, SQL_FOLDER), 'utf8')
    const header = text.slice(0, text.search(/^(?!--)/m))
    if (!header.startsWith(`-- ${path.basename(name)}: `)) faults.push(`${name}: does not begin with its name`)
    if (!/^-- plan: \S/m.test(header)) faults.push(`${name}: has no plan`)
  }
  assert.deepEqual(faults, [])
})

test('every SQL function is called by a statement, another function, the schema or the source', async () => {
  const read = async (folder: string, ending: string): Promise<Map<string, string>> => {
    const root = fileURLToPath(new URL(folder, SQL_FOLDER))
    const names = (await readdir(root, { recursive: true })).filter(name => name.endsWith(ending))
    const texts = names.map(async name => [name, await readFile(path.join(root, name), 'utf8')] as const)
    return new Map(await Promise.all(texts))
  }
  const [functions, statements, source] = await Promise.all([
    read('functions/', '.sql'),
    read('queries/', '.sql'),
    read('../src/', '.ts'),
  ])
  // Indexes and triggers.
  const schema = await readFile(new URL('schema.sql', SQL_FOLDER), 'utf8')
  const tables = schema.replaceAll(/^CREATE OR REPLACE FUNCTION[^]*?^\$(?:function|procedure)\$;?$/gm, '')
  const outside = [tables, ...statements.values(), ...source.values()].join('\n')
  const unused = [...functions.keys()].filter(file => {
    const others = [...functions].flatMap(([name, text]) => (name === file ? [] : text))
    const called = new RegExp(`^(?!\\s*--).*\\b${path.basename(file, '.sql')}\\b`, 'm')
    return !called.test(outside) && !others.some(text => called.test(text))
  })
  assert.deepEqual(unused, [])
})

test('statements that share a round trip only read, as they may run twice', async () => {
  const pipelined = [...declaredQueries().values()].filter(query => query.pipelined)
  assert.ok(pipelined.length > 0)
  const writes = /\b(?:insert into|update|delete from|merge into|for (?:no key )?update|nextval|enqueue)\b/
  const faults = pipelined.filter(({ text, columns }) => {
    const statement = text.replaceAll(/^ *--.*$/gm, '')
    return writes.test(statement) || 'events' in columns
  })
  assert.deepEqual(
    faults.map(({ name }) => name),
    [],
  )
})

/** Further differences between a statement and its upward partner. */
const TURNED: Readonly<Record<string, readonly (readonly [downwards: string, upwards: string])[]>> = {
  'notifications/groups': [
    // The newest visible member represents a group in both directions.
    ['order by s.id', 'order by s.id desc'],
    ['g.newest_id', 'g.oldest_id'],
    ['$5 is not null', '$6 is not null'],
    ['m.id < $5', 'm.id > $6'],
    ['o.newest_id >= $5 and o.oldest_id < $5', 'o.newest_id > $6 and o.oldest_id <= $6'],
    ['edge.id > coalesce($6, 0)', 'edge.id < coalesce($5, 9223372036854775807)'],
    ['s.id <= g.position', 's.id >= any (array[g.position]) and s.id < coalesce($5, 9223372036854775807)'],
  ],
}

test('an upward statement is its partner with the order reversed', async () => {
  const statement = (text: string): string => text.replaceAll(/^ *--.*\n/gm, '')
  const above = (await statementFiles()).filter(name => name.endsWith('_above'))
  assert.ok(above.length > 0)
  for (const name of above) {
    const read = (file: string): Promise<string> => readFile(new URL(`queries/${file}.sql`, SQL_FOLDER), 'utf8')
    const partner = name.slice(0, -'_above'.length)
    const downwards = statement(await read(partner))
    let turned = downwards.replaceAll(/^(\s*order by \S+) desc$/gm, '$1')
    assert.notEqual(turned, downwards, name)
    for (const [text, other] of TURNED[partner] ?? []) {
      assert.ok(turned.includes(text), `${partner}: ${text}`)
      turned = turned.replaceAll(text, () => other)
    }
    assert.equal(statement(await read(name)), turned, name)
  }
})

/** Statements that differ from another one in these texts alone, so that a change reaches both. */
const TWINS: Readonly<Record<string, Readonly<Record<string, readonly (readonly [text: string, other: string])[]>>>> = {
  'auth/data_export/favourites': { 'auth/data_export/bookmarks': [['favourites', 'bookmarks']] },
  'statuses/favourites': { 'statuses/bookmarks': [['favourites', 'bookmarks']] },
  'accounts/followers': {
    'accounts/following': [
      ['f.target_account_id', 'f.the_other'],
      ['f.account_id', 'f.target_account_id'],
      ['f.the_other', 'f.account_id'],
      ['select f.id, f.target_account_id', 'select f.id, f.target_account_id as account_id'],
    ],
  },
  'accounts/statuses_of': {
    'accounts/without_replies_of': [['$2::bigint, false, $6', '$2::bigint, true, $6']],
    'accounts/media_of': [['false, $6, $7, false', '$6, $7, $8, true']],
  },
  'timelines/public': {
    'timelines/public_media': [['    and s.id < $3', "    and s.media_attachment_ids <> '{}'\n    and s.id < $3"]],
  },
  'timelines/data_import/surplus_blocks': {
    'timelines/data_import/surplus_mutes': [['from blocks', 'from mutes']],
    'timelines/data_import/surplus_bookmarks': [
      ['from blocks', 'from bookmarks'],
      ['x.target_account_id', 'x.status_id'],
    ],
  },
  'administration/measures/tag_servers': { 'administration/measures/tag_languages': [['c.domain', 'c.language']] },
  'notifications/dismiss_group': {
    'notifications/requests/remove': [
      ['old.group_key', 'old.from_account_id'],
      ['not old.filtered', 'old.filtered'],
      ['as amount', 'as done'],
    ],
  },
}

test('statements that are twins differ in the named texts alone', async () => {
  const read = async (name: string): Promise<string> =>
    (await readFile(new URL(`queries/${name}.sql`, SQL_FOLDER), 'utf8')).replaceAll(/^ *--.*\n/gm, '')
  for (const [name, twins] of Object.entries(TWINS)) {
    const text = await read(name)
    for (const [twin, differences] of Object.entries(twins)) {
      let expected = text
      for (const [one, other] of differences) {
        assert.ok(expected.includes(one), `${name}: ${one}`)
        expected = expected.replaceAll(one, () => other)
      }
      assert.equal(await read(twin), expected, twin)
    }
  }
})

/** Data is seeded once, with lists of thousands. */
const SEED = 'cli/seed/'

test('lists are in sub-selects, so that PostgreSQL keeps one plan for any length', async () => {
  const shown = [...declaredQueries().values()]
    .filter(({ name, text }) => !name.startsWith(SEED) && /\b(?:any \(+|unnest\()\$\d/.test(text))
    .map(({ name }) => name)
  assert.deepEqual(shown, [])
})

test('declared parameters and columns are what PostgreSQL describes', async t => {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  t.after(async () => {
    await client.end()
    await database.drop()
  })
  for (const query of declaredQueries().values()) {
    await t.test(query.name, async () => {
      assert.deepEqual(differences(query, await describe(client, query)), [])
    })
  }
})
