import assert from 'node:assert/strict'
import type { ServerAddress } from './server.ts'

/** A form of a page, with its values. */
export interface Form {
  readonly action: string
  readonly fields: Record<string, string>
}

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
  return [...page.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)].map(([, tag = '', body = '']) => {
    assert.equal(attribute(tag, 'method'), 'post')
    const fields: Record<string, string> = {}
    for (const [input] of body.matchAll(/<(?:input|textarea)[^>]*>/g)) {
      const name = attribute(input, 'name')
      if (name !== undefined && attribute(input, 'type') !== 'checkbox') fields[name] = attribute(input, 'value') ?? ''
    }
    return { action: attribute(tag, 'action') ?? '', fields }
  })
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

  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Page> {
    return this.#fetch('POST', path, new URLSearchParams(fields), headers)
  }

  /** Sends the form with this action (and `_method`), with some fields changed. */
  submit(page: Page, action: string, change: Record<string, string> = {}, method?: string): Promise<Page> {
    const form = page.forms.find(found => found.action === action && found.fields['_method'] === method)
    assert.ok(form, `no form with action ${action} in ${page.text}`)
    return this.post(form.action, { ...form.fields, ...change })
  }

  /** Signs in by the form; returns the redirect. */
  async signIn(email: string, password: string): Promise<Page> {
    const page = await this.get('/auth/sign_in')
    return this.submit(page, '/auth/sign_in', { 'user[email]': email, 'user[password]': password })
  }

  async #fetch(
    method: string,
    path: string,
    body: URLSearchParams | undefined,
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
