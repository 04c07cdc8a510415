import type { Outgoing } from './connection.ts'
import type { KnownIds } from './known_ids.ts'
import type { FuzzRequest } from './requests.ts'
import { PIXEL } from './pixel.ts'
import type { FuzzWorld, Session } from './world.ts'
import { isReference, type FuzzValue } from './values.ts'

type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain }

/** The value with ids instead of references. */
function resolve(value: FuzzValue, hint: string, ids: KnownIds): Plain {
  if (typeof value !== 'object' || value === null) return value
  if (isReference(value)) return value.of === undefined ? ids.get(hint, value.ref) : ids.take(value.of)
  if (Array.isArray(value)) return value.map((one: FuzzValue) => resolve(one, hint, ids))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, name, ids)]))
}

/** Names and values as a form has them: `a[b][]`. */
function* fieldsOf(name: string, value: Plain): Generator<[string, string]> {
  if (value === null) yield [name, '']
  else if (Array.isArray(value)) for (const one of value as readonly Plain[]) yield* fieldsOf(`${name}[]`, one)
  else if (typeof value === 'object')
    for (const [member, one] of Object.entries(value)) yield* fieldsOf(`${name}[${member}]`, one)
  else yield [name, String(value)]
}

const fieldsOfAll = (values: Readonly<Record<string, Plain>>): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) => [...fieldsOf(name, value)])

/** Where a file is wanted: a picture of one pixel, or what claims to be one. */
const UPLOADS = new Set(['file', 'thumbnail', 'avatar', 'header', 'image', 'picture'])

const BOUNDARY = 'a-line-between-parts'
/** As browsers write names in the head of a part. */
const ESCAPES: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }
const escapeName = (name: string): string => name.replace(/["\r\n]/g, found => ESCAPES[found] ?? '')

/** `image` in `emoji[image]`. */
const lastWord = (name: string): string => /([^[\]]*)\]?$/.exec(name)?.[1] ?? name

function multipartOf(fields: readonly (readonly [string, string])[]): Buffer {
  const parts = fields.flatMap(([name, value]) => {
    const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${escapeName(name)}"`
    if (!UPLOADS.has(lastWord(name)) || value.length % 8 === 0) return [Buffer.from(`${head}\r\n\r\n${value}\r\n`)]
    const kind = value.length % 8
    const bytes = kind > 2 ? PIXEL : kind === 2 ? PIXEL.subarray(0, 40) : Buffer.from(value)
    return [Buffer.from(`${head}; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`), bytes, Buffer.from('\r\n')]
  })
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

/** The kind of the id at a place of a path: the word before it. */
const hintAt = (path: string, name: string): string => {
  const words = path.split('/')
  const before = words[words.indexOf(`:${name}`) - 1] ?? ''
  if (name === 'account') return 'names'
  return name === 'id' || name.startsWith('id') ? before : name.endsWith('_id') || name === 'group_key' ? name : before
}

const textOf = (value: Plain): string => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 1300)

/** An escaped piece of a path; lone surrogates cannot be escaped. */
const escaped = (text: string): string => encodeURIComponent(text.toWellFormed()) || '%20'

const pathOf = (request: FuzzRequest, ids: KnownIds): string =>
  request.path
    .replace(/:([a-z_]+)/g, (_, name: string) =>
      escaped(textOf(resolve(request.inPath[name] ?? '', hintAt(request.path, name), ids))),
    )
    .replace('*', 'x')

/** The session of the caller, if the request is one that a browser sends and does not end it. */
function sessionFor({ isPage, caller, path }: FuzzRequest, { sessions }: FuzzWorld): Session | undefined {
  return (isPage || caller === 'pending') && path !== '/auth/sign_out' ? sessions[caller] : undefined
}

type Values = Readonly<Record<string, Plain>>

/** The values in the body or the query. */
function withValues(
  request: FuzzRequest,
  path: string,
  values: Values,
): Pick<Outgoing, 'path' | 'body'> & { type: string } {
  switch (request.style) {
    case 'json':
      return { path, type: 'application/json', body: JSON.stringify(values) }
    case 'multipart':
      return { path, type: `multipart/form-data; boundary=${BOUNDARY}`, body: multipartOf(fieldsOfAll(values)) }
    case 'form':
      return { path, type: FORM, body: new URLSearchParams(fieldsOfAll(values)).toString() }
    case 'query': {
      const query = new URLSearchParams(fieldsOfAll(values)).toString().slice(0, LONGEST_QUERY)
      return { path: query === '' ? path : `${path}?${query}`, type: '', body: null }
    }
  }
}

/** Longer ones get a 431 before they reach an operation. */
const LONGEST_QUERY = 3500
const FORM = 'application/x-www-form-urlencoded'

/** The request as another server sends it. */
function signed({ peer, serverUrl }: FuzzWorld, request: Outgoing): Outgoing {
  const url = `${serverUrl}${request.path}`
  if (typeof request.body !== 'string') return { ...request, headers: { ...request.headers, ...peer.signGet(url) } }
  return { ...request, headers: { ...request.headers, ...peer.signPost(url, request.body) } }
}

/** The request with the ids that are known now. */
export function outgoingOf(world: FuzzWorld, request: FuzzRequest): Outgoing {
  const { method, caller, raw } = request
  const { ids, tokens } = world
  const session = sessionFor(request, world)
  const headers: Record<string, string> = session ? { cookie: session.cookie, accept: 'text/html' } : {}
  const token = tokens[caller]
  if (!session && token !== undefined) headers['authorization'] = `Bearer ${token}`
  if (request.packed) headers['accept-encoding'] = 'gzip'
  const path = pathOf(request, ids)
  if (raw) {
    if (raw.type !== '') headers['content-type'] = encodeURI(raw.type).replace('%20', ' ')
    return { method, path, headers, body: raw.body }
  }
  const values = Object.fromEntries(
    Object.entries(request.values).map(([name, value]) => [name, resolve(value, name, ids)]),
  )
  if (session && method !== 'GET') values['authenticity_token'] = session.authenticityToken
  const { type, ...sent } = withValues(request, path, values)
  if (type !== '') headers['content-type'] = type
  return caller === 'peer' ? signed(world, { method, headers, ...sent }) : { method, headers, ...sent }
}
