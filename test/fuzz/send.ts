import type { Client, ClientResponse } from '../support/client.ts'
import type { KnownIds } from './known_ids.ts'
import type { FuzzRequest } from './requests.ts'
import type { FuzzWorld, Session } from './world.ts'
import { isReference, type FuzzValue } from './values.ts'

type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain }

/** The value with ids instead of references. */
function resolve(value: FuzzValue, hint: string, ids: KnownIds): Plain {
  if (typeof value !== 'object' || value === null) return value
  if (isReference(value)) return ids.get(hint, value.ref)
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

/** Names end in `file` where a file is wanted: a picture of one pixel, or what claims to be one. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const UPLOADS = new Set(['file', 'thumbnail', 'avatar', 'header', 'image', 'picture'])

function formOf(values: Readonly<Record<string, Plain>>): FormData {
  const form = new FormData()
  for (const [name, value] of fieldsOfAll(values)) {
    if (UPLOADS.has(name) && value.length % 4 > 0) {
      const bytes =
        value.length % 4 === 1
          ? new Uint8Array(PIXEL)
          : value.length % 4 === 2
            ? new Uint8Array(PIXEL.subarray(0, 40))
            : value
      form.append(name, new Blob([bytes], { type: 'image/png' }), 'a.png')
    } else form.append(name, value)
  }
  return form
}

/** The kind of the id at a place of a path: the word before it. */
const hintAt = (path: string, name: string): string => {
  const words = path.split('/')
  const before = words[words.indexOf(`:${name}`) - 1] ?? ''
  return name === 'id' || name.startsWith('id') ? before : name.endsWith('_id') || name === 'group_key' ? name : before
}

const textOf = (value: Plain): string => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 1300)

/** An escaped piece of a path; lone surrogates cannot be escaped. */
const escaped = (text: string): string => encodeURIComponent(text.toWellFormed()) || '%20'

export function pathOf(request: FuzzRequest, ids: KnownIds): string {
  return request.path
    .replace(/:([a-z_]+)/g, (_, name: string) => {
      const piece = escaped(textOf(resolve(request.inPath[name] ?? '', hintAt(request.path, name), ids)))
      // `fetch` would resolve them.
      return /^(?:\.|%2e){1,2}$/i.test(piece) ? '%252e' : piece
    })
    .replace('*', 'x')
}

/** The session of the caller, if the request is one that a browser sends and does not end it. */
function sessionFor({ isPage, caller, path }: FuzzRequest, { sessions }: FuzzWorld): Session | undefined {
  return isPage && path !== '/auth/sign_out' ? sessions[caller] : undefined
}

/** Sends the request; the client compares the response with the API's description. */
export function send(world: FuzzWorld, request: FuzzRequest): Promise<ClientResponse> {
  const { method, style, raw } = request
  const { ids, callers } = world
  const session = sessionFor(request, world)
  const client: Client = session ? callers.anonymous : callers[request.caller]
  const headers: Record<string, string> = session ? { cookie: session.cookie, accept: 'text/html' } : {}
  const path = pathOf(request, ids)
  if (raw) {
    if (raw.type !== '') headers['content-type'] = encodeURI(raw.type).replace('%20', ' ')
    return client.request(method, path, { body: raw.body, headers })
  }
  const values = Object.fromEntries(
    Object.entries(request.values).map(([name, value]) => [name, resolve(value, name, ids)]),
  )
  if (session && method !== 'GET') values['authenticity_token'] = session.authenticityToken
  if (style === 'json') return client.request(method, path, { body: values, headers })
  if (style === 'multipart') return client.request(method, path, { body: formOf(values), headers })
  const parameters = new URLSearchParams(fieldsOfAll(values))
  if (style === 'form') return client.request(method, path, { body: parameters, headers })
  const query = parameters.toString().slice(0, 6000)
  return client.request(method, query === '' ? path : `${path}?${query}`, { headers })
}
