import assert from 'node:assert/strict'
import { test } from 'tap'
import { ApiError } from '../../../src/core/errors.ts'
import { type Declared, param, type Parsed, parseParameters } from '../../../src/platform/http/param/index.ts'
import {
  mergeParameters,
  parseJson,
  parseQuery,
  type ParamTree,
  Upload,
} from '../../../src/platform/http/parameters.ts'

const json = (value: unknown): ParamTree => parseJson(Buffer.from(JSON.stringify(value)))

/**
 * Parses a single declared parameter `x` from a query or, for other values than strings, from a
 * JSON body.
 */
const read = (declared: Declared[string], given: unknown): unknown =>
  parseParameters({ x: declared }, typeof given === 'string' ? parseQuery(given) : json(given))['x']

const refuses = (run: () => unknown, status: number, message: string): void =>
  assert.throws(run, error => {
    assert.ok(error instanceof ApiError)
    assert.deepEqual([error.status, error.message], [status, message])
    return true
  })

/** True only when both types are assignable to each other; checked by the compiler. */
type Same<A, B> = [A, B] extends [B, A] ? true : false

test('the types of the values come from the declaration', async () => {
  const declared = {
    id: param.id(),
    limit: param.limit(20),
    local: param.boolean({ default: false }),
    note: param.string({ optional: true, nullable: true }),
    policy: param.enumeration(['list', 'none'], { optional: true }),
    order: param.string({ enum: ['new', 'old'] }),
    media_ids: param.ids({ default: [] }),
    max_id: param.cursor(),
    poll: param.object({ options: param.strings(), expires_in: param.integer() }, { optional: true }),
  }
  interface Expected {
    id: string
    limit: number
    local: boolean
    note: string | null | undefined
    policy: 'list' | 'none' | undefined
    order: 'new' | 'old'
    media_ids: readonly string[]
    max_id: string | undefined
    poll: { options: readonly string[]; expires_in: number } | undefined
  }
  const typed: Same<Parsed<typeof declared>, Expected> = true
  assert.ok(typed)
  const values = parseParameters(declared, mergeParameters({ id: '7' }, parseQuery('order=new&unknown=1')))
  assert.deepEqual(values, {
    id: '7',
    limit: 20,
    local: false,
    note: undefined,
    policy: undefined,
    order: 'new',
    media_ids: [],
    max_id: undefined,
    poll: undefined,
  })
})

test('an id is a decimal number of 63 bits, any other value names no record', async () => {
  assert.equal(read(param.id(), 'x=9223372036854775807'), '9223372036854775807')
  assert.equal(read(param.id(), { x: 12 }), '12')
  const wrong = ['x=abc', 'x=9223372036854775808', 'x=0', 'x=-1', 'x=1.5', 'x=1%20', 'x[]=1', 'x=1e3', '', 'x=']
  for (const query of wrong) refuses(() => read(param.id(), query), 404, 'Record not found')
  for (const x of [true, 1.5, { a: 1 }, null]) refuses(() => read(param.id(), { x }), 404, 'Record not found')
  assert.equal(read(param.id({ optional: true }), 'x='), undefined)
  refuses(() => read(param.id({ optional: true }), 'x=abc'), 404, 'Record not found')
  assert.equal(read(param.id({ optional: true, invalid: 'missing' }), 'x=abc'), undefined)
  refuses(() => read(param.id({ missing: 422 }), ''), 422, "Validation failed: X can't be blank")
})

test('invalid ids are omitted from lists', async () => {
  assert.deepEqual(read(param.ids(), 'x[]=2&x[]=abc&x[]=1&x[]=2&x[]='), ['2', '1'])
  assert.deepEqual(parseParameters({ x: param.ids() }, parseJson(Buffer.from('{"x":[115000000000000001,null,"3"]}'))), {
    x: ['115000000000000001', '3'],
  })
  assert.deepEqual(read(param.ids(), 'x[0]=5&x[1]=4'), ['5', '4'])
  assert.deepEqual(read(param.ids(), { x: [] }), [])
  assert.deepEqual(read(param.ids({ default: [] }), 'x=1'), [])
  assert.deepEqual(read(param.ids({ scalar: true }), 'x=1'), ['1'])
  refuses(() => read(param.ids(), 'x=1'), 422, "Validation failed: X can't be blank")
  refuses(() => read(param.ids(), { x: { a: 1 } }), 422, 'Validation failed: X is invalid')
  const long = 'Validation failed: X is too long (maximum is 2 characters)'
  refuses(() => read(param.ids({ max: 2 }), { x: [1, 2, 3] }), 422, long)
})

test('a cursor may be any integer and is clamped', async () => {
  const cases = { 'x=12': '12', 'x=0': '0', 'x=99999999999999999999': '9223372036854775807', 'x=abc': '0', 'x=-5': '0' }
  for (const [query, expected] of Object.entries(cases)) assert.equal(read(param.cursor(), query), expected)
  assert.equal(read(param.cursor(), 'x='), undefined)
  refuses(() => read(param.cursor(), 'x[]=1'), 422, 'Validation failed: X is invalid')
})

test('the usual forms of false are false, other values true', async () => {
  const boolean = param.boolean({ optional: true, nullable: true })
  for (const x of [false, 0, '0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF']) assert.equal(read(boolean, { x }), false)
  for (const x of [true, 1, 'no', 'False', 'abc', 'true', ' ']) assert.equal(read(boolean, { x }), true)
  assert.equal(read(boolean, 'x='), undefined)
  assert.equal(read(boolean, 'y=1'), undefined)
  assert.equal(read(boolean, { x: null }), null)
  assert.equal(read(param.boolean({ default: true }), { x: null }), true)
  refuses(() => read(boolean, 'x[]=1'), 422, 'Validation failed: X is invalid')
})

test('integers are read by their leading digits and stay within 32 bits', async () => {
  const cases: [unknown, number][] = [
    ['x=12', 12],
    ['x=12abc', 12],
    ['x=abc', 0],
    ['x=-3', -3],
    ['x=%2B3', 3],
    [{ x: 3.9 }, 3],
  ]
  for (const [given, expected] of cases) assert.equal(read(param.integer(), given), expected)
  const above = 'Validation failed: X must be less than or equal to 2147483647'
  refuses(() => read(param.integer(), 'x=99999999999'), 422, above)
  refuses(() => read(param.integer(), `x=${'9'.repeat(400)}`), 422, above)
  const below = 'Validation failed: X must be greater than or equal to 1'
  refuses(() => read(param.integer({ min: 1 }), 'x=abc'), 422, below)
  for (const x of [true, [1], { a: 1 }])
    refuses(() => read(param.integer(), { x }), 422, 'Validation failed: X is invalid')
  assert.deepEqual(read(param.integers(), 'x[]=1&x[]=0'), [1, 0])
  for (const x of [['a'], ['1b'], [true], [null], [''], [1.5]])
    refuses(() => read(param.integers(), { x }), 422, 'Validation failed: X is invalid')
})

test('a limit is absolute and clamped', async () => {
  const cases = {
    '': 20,
    'x=': 20,
    'x=5': 5,
    'x=-5': 5,
    'x=0': 0,
    'x=abc': 0,
    'x=41': 40,
    [`x=${'9'.repeat(400)}`]: 40,
  }
  for (const [query, expected] of Object.entries(cases)) assert.equal(read(param.limit(20), query), expected, query)
  assert.equal(read(param.limit(100, 200), { x: 1000 }), 200)
  assert.equal(read(param.limit(20), { x: null }), 20)
  refuses(() => read(param.limit(20), 'x[]=1'), 422, 'Validation failed: X is invalid')
})

test('texts have a length in characters, may be trimmed, and may not be blank', async () => {
  assert.equal(read(param.string(), { x: 12 }), '12')
  assert.equal(read(param.string(), { x: false }), 'false')
  assert.equal(read(param.string({ trim: true }), 'x=%20a%20'), 'a')
  assert.equal(read(param.string({ optional: true }), 'x='), '')
  assert.equal(read(param.string({ optional: true, blank: 'missing' }), 'x=%20'), undefined)
  assert.equal(read(param.string({ blank: 'keep' }), 'x='), '')
  assert.equal(read(param.string({ max: 2 }), { x: '🐘🐘' }), '🐘🐘')
  const blank = "Validation failed: X can't be blank"
  for (const query of ['', 'x', 'x=', 'x=%20%0A']) refuses(() => read(param.string(), query), 422, blank)
  refuses(() => read(param.string({ optional: true, blank: 'refuse' }), 'x='), 422, blank)
  const missing = 'param is missing or the value is empty or invalid: x'
  refuses(() => read(param.string({ missing: 400 }), 'x='), 400, missing)
  const long = 'Validation failed: X is too long (maximum is 2 characters)'
  refuses(() => read(param.string({ max: 2 }), 'x=abc'), 422, long)
  const short = 'Validation failed: X is too short (minimum is 8 characters)'
  refuses(() => read(param.string({ min: 8 }), 'x=1234567'), 422, short)
  for (const query of ['x[]=a', 'x[a]=b'])
    refuses(() => read(param.string(), query), 422, 'Validation failed: X is invalid')
})

test('an enumeration accepts only its words', async () => {
  const policy = param.enumeration(['followed', 'none'], { optional: true })
  assert.equal(read(policy, 'x=none'), 'none')
  assert.equal(read(policy, 'x='), undefined)
  refuses(() => read(policy, 'x=some'), 422, 'Validation failed: X is not included in the list')
  refuses(() => read(policy, 'x=toString'), 422, 'Validation failed: X is not included in the list')
  assert.equal(read(param.enumeration(['day', 'month'], { fallback: 'day' }), 'x=year'), 'day')
})

test('lists of texts omit blanks', async () => {
  assert.deepEqual(read(param.strings(), 'x[]=a&x[]=&x[]=b'), ['a', 'b'])
  assert.deepEqual(read(param.strings({ blank: 'keep' }), 'x[]=a&x[]='), ['a', ''])
  assert.deepEqual(read(param.strings({ trim: true }), { x: [' a ', 1, null] }), ['a', '1'])
  assert.deepEqual(read(param.strings({ scalar: true }), 'x=a'), ['a'])
  assert.deepEqual(read(param.strings({ enum: ['a'], unknown: 'drop' }), 'x[]=a&x[]=b'), ['a'])
  refuses(() => read(param.strings({ enum: ['a'] }), 'x[]=b'), 422, 'Validation failed: X is not included in the list')
  refuses(() => read(param.strings({ min: 1 }), 'x[]='), 422, "Validation failed: X can't be blank")
  const long = 'Validation failed: X is too long (maximum is 1 character)'
  refuses(() => read(param.strings({ max: 1 }), 'x[]=a&x[]=b'), 422, long)
  refuses(() => read(param.strings({ each: 1 }), 'x[]=ab'), 422, long)
  refuses(() => read(param.strings(), { x: [['a']] }), 422, 'Validation failed: X is invalid')
  assert.equal(read(param.strings({ optional: true }), 'x=a'), undefined)
  assert.equal(read(param.strings({ optional: true, nullable: true }), { x: null }), null)
})

test('only existing dates are accepted', async () => {
  assert.equal(read(param.date(), 'x=2026-02-28'), '2026-02-28')
  assert.equal(read(param.date(), 'x=5.1.2000'), '2000-01-05')
  const moments = {
    '2026-03-15T12:34:56.789Z': '2026-03-15T12:34:56.789Z',
    '2026-03-15T12:34:56.789123+02:00': '2026-03-15T10:34:56.789Z',
    '2026-03-15 12:34:56 UTC': '2026-03-15T12:34:56.000Z',
    '2026-03-15T12:34-0330': '2026-03-15T16:04:00.000Z',
    '2026-03-15T12:34:56+01': '2026-03-15T11:34:56.000Z',
    '2026-03-15': '2026-03-15T00:00:00.000Z',
  }
  for (const [given, expected] of Object.entries(moments))
    assert.deepEqual(read(param.datetime(), { x: given }), new Date(expected), given)
  for (const x of ['tomorrow', '2026-02-30', '2026-13-01', '0000-01-01', 5, true, ['2026-01-01'], { a: 1 }]) {
    refuses(() => read(param.date(), { x }), 422, 'Invalid date supplied')
    refuses(() => read(param.datetime(), { x }), 422, 'Invalid date supplied')
  }
  for (const x of ['2026-01-01T25:00:00Z', '2026-01-01T12:61Z', '2026-01-01T12:00:00+99:00', '+275760-09-13'])
    refuses(() => read(param.datetime(), { x }), 422, 'Invalid date supplied')
  refuses(() => read(param.date({ invalid: 'notFound' }), 'x=a'), 404, 'Record not found')
  assert.equal(read(param.datetime({ optional: true }), 'x='), undefined)
})

test('files are parts or data URIs', async () => {
  const file = new Upload('a.png', 'image/png', Buffer.from('x'))
  assert.equal(parseParameters({ x: param.upload() }, { x: file }).x, file)
  const uris: [string, string, string][] = [
    ['data:image/PNG;base64,aGk=', 'image/png', 'hi'],
    ['data:image/png;charset=x;base64,aG k', 'image/png', 'hi'],
    ['data:,a%20ä', 'text/plain', 'a ä'],
  ]
  for (const [x, type, bytes] of uris) {
    const parsed = parseParameters({ x: param.upload() }, json({ x })).x
    assert.deepEqual([parsed.filename, parsed.type, parsed.content.toString()], ['', type, bytes])
  }
  const lookalike = { filename: 'a', type: 'b', bytes: 'c' }
  for (const x of [
    'text',
    'data:image/png;base64,a',
    'data:image/png;base64,a*==',
    'data:a/b',
    5,
    ['data:,a'],
    lookalike,
  ])
    refuses(() => read(param.upload(), { x }), 400, 'Bad Request')
  assert.equal(read(param.upload({ optional: true }), 'x='), undefined)
  assert.equal(read(param.upload({ nullable: true }), { x: null }), null)
  refuses(() => parseParameters({ x: param.string() }, { x: file }), 422, 'Validation failed: X is invalid')
})

test('objects and lists of them are read by the same rules', async () => {
  const poll = param.object(
    { options: param.strings(), multiple: param.boolean({ default: false }) },
    { optional: true },
  )
  assert.deepEqual(read(poll, 'x[options][]=a&x[options][]=b'), { options: ['a', 'b'], multiple: false })
  refuses(() => read(poll, 'x[multiple]=1'), 422, "Validation failed: Options can't be blank")
  refuses(() => read(poll, 'x=1'), 422, 'Validation failed: X is invalid')
  const push = param.object({ endpoint: param.string() }, { missing: 400 })
  for (const given of ['', 'x=1', { x: {} }])
    refuses(() => read(push, given), 400, 'param is missing or the value is empty or invalid: x')
  const data = param.object({ a: param.boolean({ optional: true }) }, { optional: true, missing: 400 })
  refuses(() => read(data, 'x=1'), 400, 'param is missing or the value is empty or invalid: x')
  for (const given of ['', 'x=', { x: {} }]) assert.equal(read(data, given), undefined)
  const fields = param.objects(
    { name: param.string({ optional: true }), keyword: param.string({ label: 'Keyword' }) },
    { max: 2 },
  )
  const expected = [
    { name: 'b', keyword: '1' },
    { name: undefined, keyword: '2' },
  ]
  assert.deepEqual(read(fields, 'x[7][name]=b&x[7][keyword]=1&x[3][keyword]=2'), expected)
  assert.deepEqual(read(fields, 'x[][name]=b&x[][keyword]=1&x[][keyword]=2'), expected)
  assert.deepEqual(read(fields, { x: [{ name: 'b', keyword: '1' }, { keyword: 2 }] }), expected)
  refuses(() => read(fields, { x: [{}] }), 422, "Validation failed: X keyword can't be blank")
  refuses(() => read(fields, { x: ['a'] }), 422, 'Validation failed: X is invalid')
  refuses(() => read(fields, { x: [{}, {}, {}] }), 422, 'Validation failed: X is too long (maximum is 2 characters)')
  assert.deepEqual({ ...(read(param.record(), { x: { a: 1 } }) as object) }, { a: 1 })
})

test('one message has all errors of a request, in the declared order', async () => {
  const declared = {
    display_name: param.string({ max: 3 }),
    email: param.string(),
    target_account_id: param.string(),
    name: param.string({ label: 'Application name' }),
    policy: param.enumeration(['a']),
  }
  const tree = parseQuery('policy=x&display_name=abcd')
  const message =
    "Validation failed: Display name is too long (maximum is 3 characters), E-mail address can't be blank, " +
    "Target account can't be blank, Application name can't be blank, Policy is not included in the list"
  refuses(() => parseParameters(declared, tree), 422, message)
  assert.throws(
    () => parseParameters({ email: param.string(), policy: param.enumeration(['a']) }, tree, { details: true }),
    error => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual(error.body, {
        details: {
          email: [{ error: 'ERR_BLANK', description: "can't be blank" }],
          policy: [{ error: 'ERR_INCLUSION', description: 'is not included in the list' }],
        },
      })
      return true
    },
  )
})

test('each parameter describes itself as JSON Schema', async () => {
  assert.deepEqual(param.limit(20).schema, { type: 'integer', minimum: 0, maximum: 40, default: 20 })
  assert.deepEqual(param.string({ max: 9, nullable: true, description: 'A text' }).schema, {
    type: ['string', 'null'],
    maxLength: 9,
    description: 'A text',
  })
  assert.deepEqual(param.objects({ a: param.id(), b: param.boolean({ optional: true }) }).schema, {
    type: 'array',
    items: {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^[0-9]+$' }, b: { type: 'boolean' } },
      required: ['a'],
    },
  })
})
