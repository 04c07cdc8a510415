import assert from 'node:assert/strict'
import type { ServerAddress } from './server.ts'

/** A form of a page, with the values that a browser would send: of checked boxes only. */
export interface Form {
  readonly action: string
  readonly fields: Record<string, string>
  readonly multipart: boolean
}

/**
 * What a test changes in a form: a text, several of them, a file, or null to leave the field out.
 */
export type Change = Record<string, string | readonly string[] | File | null>

/** A page or redirect that a browser received. */
export interface Page {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The Location header, or an empty string. */
  readonly location: string
  readonly forms: readonly Form[]
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** The text of HTML with its entities decoded. */
export const readHtml = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, found => ENTITIES[found] ?? found)

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return found === undefined ? undefined : readHtml(found)
}

function formsOf(page: string): Form[] {
  return [...page.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, tag = '', body = '']) => {
    // A form that filters a list; tests open its address.
    if (attribute(tag, 'method') === 'get') return []
    assert.equal(attribute(tag, 'method'), 'post')
    const fields: Record<string, string> = {}
    for (const [element] of body.matchAll(/<input[^>]*>|<(?:textarea|select)[^>]*>[\s\S]*?<\/(?:textarea|select)>/g)) {
      const name = attribute(element, 'name')
      const value = valueOf(element)
      if (name !== undefined && value !== undefined) fields[name] = value
    }
    const multipart = attribute(tag, 'enctype') === 'multipart/form-data'
    return [{ action: attribute(tag, 'action') ?? '', fields, multipart }]
  })
}

/** The value that a browser sends for an element; undefined for none. */
function valueOf(element: string): string | undefined {
  if (element.startsWith('<select')) {
    const options = [...element.matchAll(/<option[^>]*>/g)].map(([option]) => option)
    const selected = options.find(option => /\sselected\b/.test(option)) ?? options[0]
    return selected && attribute(selected, 'value')
  }
  if (element.startsWith('<textarea'))
    return readHtml(element.replace(/^<textarea[^>]*>\n?/, '').replace(/<\/textarea>$/, ''))
  const type = attribute(element, 'type')
  if (type === 'file' || ((type === 'checkbox' || type === 'radio') && !/\schecked\b/.test(element))) return undefined
  return attribute(element, 'value') ?? ''
}

function encode(fields: Change, multipart: boolean): URLSearchParams | FormData {
  const data = new FormData()
  for (const [name, given] of Object.entries(fields)) {
    for (const value of Array.isArray(given) ? given : [given]) if (value !== null) data.append(name, value)
  }
  if (multipart) return data
  const texts = new URLSearchParams()
  for (const [name, value] of data) texts.append(name, typeof value === 'string' ? value : value.name)
  return texts
}

/** A browser without JavaScript: it stores cookies, reads forms and does not follow redirects. */
export class Browser {
  readonly server: ServerAddress
  readonly cookies = new Map<string, string>()

  constructor(server: ServerAddress) {
    this.server = server
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.#fetch('GET', path, undefined, headers)
  }

  post(path: string, fields: Change, headers: Record<string, string> = {}): Promise<Page> {
    return this.#fetch('POST', path, encode(fields, false), headers)
  }

  /** Sends the form with this action (and `_method`), with some fields changed. */
  submit(page: Page, action: string, change: Change = {}, method?: string): Promise<Page> {
    const form = page.forms.find(found => found.action === action && found.fields['_method'] === method)
    assert.ok(form, `no form with action ${action} in ${page.text}`)
    return this.#fetch('POST', form.action, encode({ ...form.fields, ...change }, form.multipart), {})
  }

  /** Sends JSON, as a script of a page does, with the token of one of its forms. */
  sendJson(page: Page, path: string, body: object): Promise<Page> {
    const token = page.forms.find(({ action }) => action === path)?.fields['authenticity_token']
    const text = JSON.stringify({ authenticity_token: token, ...body })
    return this.#fetch('POST', path, text, { 'content-type': 'application/json', accept: 'application/json' })
  }

  /** Signs in by the form; returns the redirect. */
  async signIn(email: string, password: string): Promise<Page> {
    const page = await this.get('/auth/sign_in')
    return this.submit(page, '/auth/sign_in', { 'user[email]': email, 'user[password]': password })
  }

  async #fetch(
    method: string,
    path: string,
    body: URLSearchParams | FormData | string | undefined,
    more: Record<string, string>,
  ): Promise<Page> {
    const headers: Record<string, string> = { accept: 'text/html,*/*;q=0.8', ...more }
    if (this.cookies.size > 0)
      headers['cookie'] = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const url = new URL(path, this.server.url)
    const response = await fetch(url, { method, headers, redirect: 'manual', body: body ?? null })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split('; ')
      const equals = pair.indexOf('=')
      if (attributes.includes('Max-Age=0')) this.cookies.delete(pair.slice(0, equals))
      else this.cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
    }
    const text = await response.text()
    const location = response.headers.get('location') ?? ''
    return { status: response.status, headers: response.headers, text, location, forms: formsOf(text) }
  }
}
