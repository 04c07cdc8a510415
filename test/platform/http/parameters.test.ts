import assert from 'node:assert/strict'
import { test } from 'tap'
import { ApiError } from '../../../src/core/errors.ts'
import {
  decodeSegment,
  mergeParameters,
  parseBody,
  parseForm,
  parseJson,
  parseMultipart,
  parseQuery,
  type ParamTree,
  Upload,
} from '../../../src/platform/http/parameters.ts'
import { createMultipartReader } from '../../../src/platform/http/multipart.ts'
import { indexedValues, isTree, type Value } from '../../../src/platform/http/tree.ts'

const json = (text: string): ParamTree => parseJson(Buffer.from(text))

/** Trees have no prototype; a copy with one can be compared with a literal. */
const plain = (value: Value): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  return isTree(value) ? Object.fromEntries(Object.entries(value).map(([key, held]) => [key, plain(held)])) : value
}

const fails = (run: () => unknown, status = 400): void =>
  assert.throws(run, error => error instanceof ApiError && error.status === status)

test('a query is read with brackets', async () => {
  const cases: [string, unknown][] = [
    ['', {}],
    ['limit=20&max_id=1', { limit: '20', max_id: '1' }],
    ['q=a+b%20c%2B&x', { q: 'a b c+', x: null }],
    ['&&a=1&&=2&b=', { a: '1', b: '' }],
    ['id=1&id=2', { id: '2' }],
    ['id[]=1&id%5B%5D=2', { id: ['1', '2'] }],
    ['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
    ['a[][b]=1&a[][c]=2&a[][b]=3', { a: [{ b: '1', c: '2' }, { b: '3' }] }],
    ['a[][b][]=1&a[][b][]=2', { a: [{ b: ['1', '2'] }] }],
    ['a[][b][c]=1&a[][b][d]=2&a[][b][c]=3', { a: [{ b: { c: '1', d: '2' } }, { b: { c: '3' } }] }],
    ['a[0][b]=1&a[1][b]=2', { a: { 0: { b: '1' }, 1: { b: '2' } } }],
    ['a[=1&b]=2&[c]=3&d[e]f=4', { 'a[': '1', 'b]': '2', '[c]': '3', 'd[e]f': '4' }],
    ['x[]=', { x: [''] }],
    ['q=%F0%9F%90%98&r=ä=b', { q: '🐘', r: 'ä=b' }],
  ]
  for (const [query, expected] of cases) assert.deepEqual(plain(parseQuery(query)), expected, query)
})

test('an object keyed by index keeps the order given, whatever the keys', async () => {
  const order = (tree: ParamTree): unknown => isTree(tree['f']) && indexedValues(tree['f'])?.map(plain)
  assert.deepEqual(order(parseQuery('f[1][n]=x&f[0][n]=y&f[1][v]=z')), [{ n: 'x', v: 'z' }, { n: 'y' }])
  assert.deepEqual(order(json('{"f":{"10":"a","9":"b","-1":"c"}}')), ['a', 'b', 'c'])
  assert.deepEqual(order(parseQuery('f[0][]=a&f[0][]=b&f[1]=c')), [['a', 'b'], 'c'])
  assert.equal(order(json('{"f":{"1":"a","b":"c"}}')), undefined)
  assert.deepEqual(order(json('{"f":{}}')), [])
})

test('names such as __proto__ are normal names', async () => {
  for (const tree of [parseQuery('__proto__[a]=1&constructor=2'), json('{"__proto__":{"a":"1"},"constructor":"2"}')]) {
    assert.deepEqual(Object.keys(tree), ['__proto__', 'constructor'])
    assert.equal(Reflect.get({}, 'a'), undefined)
  }
  assert.equal(parseQuery('a=1')['toString'], undefined)
})

test('an invalid query is refused', async () => {
  const broken = ['a=%', 'a=%zz', '%ff=1', 'a=%ED%A0%80', 'a=%00', 'a%00=1', 'a=\ufffd', 'a=1&a[b]=2', 'a[b]=1&a=2']
  for (const query of [...broken, 'a[]=1&a[b]=2', 'a=1&a[]=2', 'a[b]=1&a[]=2']) fails(() => parseQuery(query))
  fails(() => parseQuery(`a${'[b]'.repeat(32)}=1`))
  fails(() => parseQuery('a[]=1&'.repeat(4097)))
  assert.ok(parseQuery(`a${'[b]'.repeat(31)}=1`))
  assert.ok(parseQuery('a[]=1&'.repeat(4096)))
  fails(() => parseForm(Buffer.from([0x61, 0x3d, 0xff])))
  fails(() => parseForm(Buffer.from('a=\0')))
})

test('a path segment is decoded, and a plus stays a plus', async () => {
  assert.equal(decodeSegment('a+b%20%F0%9F%90%98'), 'a+b 🐘')
  fails(() => decodeSegment('%e'))
  fails(() => decodeSegment('%00'))
})

test('JSON is read without losing anything', async () => {
  const text = ' {"a": [1, -2.5e3, true, null, "x\\u00e9\\n\\"\\\\"], "b": {"c": {}}, "d": [] , "a b": "" } '
  assert.deepEqual(plain(json(text)), JSON.parse(text))
  assert.deepEqual(plain(json('{"id":115000000000000001,"ids":[9223372036854775807,1]}')), {
    id: '115000000000000001',
    ids: ['9223372036854775807', 1],
  })
  assert.deepEqual(plain(json('{"n":9007199254740991,"m":-9007199254740993,"f":1e20}')), {
    n: 9007199254740991,
    m: '-9007199254740993',
    f: 1e20,
  })
  assert.deepEqual(plain(json('\ufeff{"a":"🐘"}')), { a: '🐘' })
  assert.deepEqual(plain(json('{"a":"\\ud83d\\udc18"}')), { a: '🐘' })
  assert.deepEqual(plain(json('{"a":1,"a":2}')), { a: 2 })
  assert.deepEqual(plain(json('')), {})
})

test('well-formed JSON that is no object has no parameters', async () => {
  const texts = ['[]', '[{"a":1}]', ' [1, "x"] ', 'null', 'true', '1', '"a"']
  for (const text of texts) assert.deepEqual(plain(json(text)), {}, text)
})

test('a body that is not JSON is refused', async () => {
  const broken = ['{', '[', '[]x', '["\\u0000"]', '{}x', '{"a":1,}', '{"a":[1,]}', "{'a':1}", '{"a":01}', '{"a":+1}']
  const more = [
    '{"a":.5}',
    '{"a":1.}',
    '{"a":NaN}',
    '{"a":1e999}',
    '{"a":tru}',
    '{"a":"\n"}',
    '{"a":"\\x"}',
    '{"a":"b}',
  ]
  const texts = [
    '{"a":"\\u0000"}',
    '{"\\u0000":1}',
    '{"a":"\\ud800"}',
    '{"a":"\\udc18\\ud83d"}',
    '{"a" 1}',
    '{a:1}',
    ' ',
  ]
  for (const text of [...broken, ...more, ...texts, '{"a":"\\"}']) fails(() => json(text))
  fails(() => json(`{"a":${'['.repeat(100_000)}`))
  fails(() => json(`{"a":${'['.repeat(32)}${']'.repeat(32)}}`))
  fails(() => json(`{"a":[${'1,'.repeat(5000)}1]}`))
  fails(() => parseJson(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])))
  assert.ok(json(`{"a":${'['.repeat(31)}${']'.repeat(31)}}`))
})

const TYPE = 'multipart/form-data; boundary=XyZ'
const multipart = (text: string, type = TYPE): ParamTree =>
  parseMultipart(Buffer.from(text.replaceAll('\n', '\r\n')), type)
const part = (head: string, content: string): string => `--XyZ\nContent-Disposition: form-data; ${head}\n\n${content}\n`

test('a multipart body is read with fields and files', async () => {
  const body =
    part('name="a[]"', '1') +
    part('name="a[]"', '') +
    part('name=b', 'line\n\n--XyZno\nend') +
    part('name="file"; filename="ä;\\"%22.png"\nContent-Type: Image/PNG; x=y', 'BIN\n') +
    part('name="none"; filename=""\nContent-Type: application/octet-stream', '') +
    part('name="star"; filename="x"; filename*=UTF-8\'\'b%20%C3%A4.png', 'S') +
    '--XyZ--\n'
  const types = ['multipart/form-data; boundary="XyZ"', 'multipart/form-data; charset=utf-8; Boundary=XyZ; a=b', TYPE]
  for (const type of types) {
    const { file, star, ...fields } = multipart(`preamble\n${body}epilogue`, type)
    assert.deepEqual(fields, { a: ['1', ''], b: 'line\r\n\r\n--XyZno\r\nend' })
    assert.ok(file instanceof Upload && star instanceof Upload)
    assert.deepEqual([file.filename, file.type, file.content.toString()], ['ä;"".png', 'image/png', 'BIN\r\n'])
    assert.deepEqual([star.filename, star.type, star.content.toString()], ['b ä.png', 'application/octet-stream', 'S'])
  }
  assert.deepEqual(plain(multipart(body)['a'] ?? null), ['1', ''])
  assert.deepEqual(plain(multipart('--XyZ--')), {})
  const attached = multipart(`${part('name="f"; filename="a"', 'A').replace('form-data', 'attachment')}--XyZ--`)
  assert.ok(attached['f'] instanceof Upload, 'with another type of disposition')
})

test('a multipart body is the same however it is chunked', async () => {
  const body = Buffer.from(
    `preamble\n${part('name=b', 'line\n\n--XyZno\n--Xy\nend')}${part('name="f"; filename="f"', '')}--XyZ--\nepilogue`.replaceAll(
      '\n',
      '\r\n',
    ),
  )
  for (let size = 1; size <= body.length; size += 1) {
    const parts: string[] = []
    const reader = createMultipartReader(TYPE, {
      begin: ({ name }) => void parts.push(`${name}:`),
      take: content => void parts.push(content.toString()),
      end: () => void parts.push(';'),
    })
    for (let at = 0; at < body.length; at += size) reader.push(body.subarray(at, at + size))
    reader.end()
    assert.equal(parts.join(''), 'b:line\r\n\r\n--XyZno\r\n--Xy\r\nend;f:;', `in pieces of ${size}`)
  }
})

test('a truncated or malformed multipart body is refused', async () => {
  const whole = `${part('name="a"', 'hello')}${part('name="b"; filename="c"', 'world')}--XyZ--`.replaceAll('\n', '\r\n')
  for (let length = 1; length < whole.length; length++)
    fails(() => parseMultipart(Buffer.from(whole.slice(0, length)), TYPE))
  const broken = [part('nom="a"', ''), '--XyZ\nContent-Type: a/b\n\nx\n', part('name="a"', '\0'), '--XyZ\n\n\nx\n']
  for (const body of broken) fails(() => multipart(`${body}--XyZ--`))
  fails(() => multipart(`${part('name="a"\nContent-Transfer-Encoding: base64', 'aGk=')}--XyZ--`))
  fails(() => multipart(`${part('name="a"', '')}--XyZ--`, 'multipart/form-data'))
  fails(() => multipart(`${part('name="a"', '').repeat(4097)}--XyZ--`))
  fails(() => multipart(`${part(`name="${'a'.repeat(17_000)}"`, '')}--XyZ--`))
})

test('the type of a body chooses its parser', async () => {
  const read = (text: string, type?: string): unknown => plain(parseBody(Buffer.from(text), type))
  assert.deepEqual(read('{"a":1}', 'application/json; charset=utf-8'), { a: 1 })
  assert.deepEqual(read('a=1', 'application/x-www-form-urlencoded'), { a: '1' })
  assert.deepEqual(read('a=1'), { a: '1' })
  assert.deepEqual(read('', 'text/plain'), {})
  fails(() => read('a', 'text/plain'), 415)
})

test('the path wins over the query, the query over the body', async () => {
  const merged = mergeParameters({ id: '1' }, parseQuery('id=2&a[b]=2'), json('{"id":3,"a":{"c":3},"d":4}'))
  assert.deepEqual(plain(merged), { id: '1', a: { b: '2' }, d: 4 })
  assert.deepEqual(plain(mergeParameters({}, parseQuery('a=1'))), { a: '1' })
})
